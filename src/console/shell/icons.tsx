import { type FeatureId, features } from '../../features/table.ts';
import { NamedIcon } from '../ui/NamedIcon.tsx';

/** A page's own icon; none when the table names none. */
export function FeatureIcon({ id }: { readonly id: FeatureId }) {
  const { icon } = features[id];
  return icon === undefined ? null : <NamedIcon name={icon} />;
}
