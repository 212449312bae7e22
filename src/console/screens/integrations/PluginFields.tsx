import type { ReactNode } from 'react';
import { type NotificationKind, notificationKindIds, notificationKinds } from '../../../contract/notification-kinds.ts';
import {
  fieldsOf,
  isSecret,
  messageParts,
  type PluginField,
  type PluginKind,
  tlsModes,
} from '../../../contract/plugin-kinds.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import styles from './integrations.module.css';
import type { Typed } from './plugin-form.ts';

/** The fields of a plugin, and below them what it tells of. `kept`: secrets that stay unless they are typed anew. */
export function PluginFields({
  kind,
  typed,
  kept,
  errors,
  onType,
}: {
  readonly kind: PluginKind;
  readonly typed: Typed;
  readonly kept: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  readonly onType: (typed: Typed) => void;
}) {
  const set = (name: string, text: string): void => onType({ ...typed, fields: { ...typed.fields, [name]: text } });
  const toggle = (one: NotificationKind, isOn: boolean): void =>
    onType({ ...typed, kinds: notificationKindIds.filter(id => (id === one ? isOn : typed.kinds.includes(id))) });
  const draw = (name: string, field: PluginField): ReactNode => {
    if (field.type === 'flag')
      return (
        <Check
          key={name}
          label={field.title}
          isOn={typed.flags[name] ?? false}
          onChange={isOn => onType({ ...typed, flags: { ...typed.flags, [name]: isOn } })}
        />
      );
    if (field.type === 'tls')
      return (
        <Select
          key={name}
          label={field.title}
          error={errors[name]}
          choices={tlsModes}
          value={typed.fields[name] ?? ''}
          onChange={event => set(name, event.target.value)}
        />
      );
    const stays = kept.includes(name);
    const tip = stays ? `Kept. Empty: it stays. ${field.tip ?? ''}` : field.tip;
    return (
      <Field
        key={name}
        label={field.optional || stays ? `${field.title}, may stay empty` : field.title}
        error={errors[name]}
        {...(tip !== undefined && { tip })}
        mono={field.type !== 'text' && field.type !== 'texts'}
        type={isSecret(field) ? 'password' : 'text'}
        autoComplete={isSecret(field) ? 'new-password' : 'off'}
        spellCheck={false}
        maxLength={4096}
        value={typed.fields[name] ?? ''}
        onChange={event => set(name, event.target.value)}
      />
    );
  };
  return (
    <>
      {Object.entries(fieldsOf(kind)).map(([name, field]) => draw(name, field))}
      <fieldset>
        <legend>What it tells of</legend>
        {notificationKindIds.map(id => (
          <Check
            key={id}
            label={notificationKinds[id]}
            isOn={typed.kinds.includes(id)}
            onChange={isOn => toggle(id, isOn)}
          />
        ))}
      </fieldset>
      <Field
        label="Requests for these roles only, may stay empty"
        error={errors.roles}
        tip="With commas between them; empty: requests for all roles"
        autoComplete="off"
        spellCheck={false}
        value={typed.roles}
        onChange={event => onType({ ...typed, roles: event.target.value })}
      />
      <Field
        label="Message"
        error={errors.message}
        tip={`On one line or several (\\n), with ${messageParts.map(part => `{${part}}`).join(' ')}`}
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        value={typed.message.replaceAll('\n', '\\n')}
        onChange={event => onType({ ...typed, message: event.target.value.replaceAll('\\n', '\n') })}
      />
    </>
  );
}

function Check({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}) {
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={isOn} onChange={event => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
