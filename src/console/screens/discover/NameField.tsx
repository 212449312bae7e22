import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';

/** One of the names that roles give: chosen where they name a few, typed where they give any. */
export function NameField({
  label,
  granted,
  value,
  onChange,
}: {
  readonly label: string;
  readonly granted: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const field = {
    label,
    value,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onChange(target.value),
  };
  if (granted.includes('*')) return <Field {...field} mono autoComplete="off" spellCheck={false} />;
  if (granted.length === 0) return <p>None of your roles names a {label.toLowerCase()} for it: go back and add one.</p>;
  return <Select {...field} choices={granted} />;
}
