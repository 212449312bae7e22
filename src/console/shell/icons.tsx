// The icons that the feature table names.
import {
  AppWindow,
  CirclePlay,
  Container,
  Database,
  KeyRound,
  LifeBuoy,
  Monitor,
  Network,
  ScrollText,
  Server,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  UserCog,
  Users,
} from 'lucide-react';
import { type FeatureId, features } from '../../features/table.ts';

const icons: Readonly<Record<string, typeof Server>> = {
  AppWindow,
  CirclePlay,
  Container,
  Database,
  KeyRound,
  LifeBuoy,
  Monitor,
  Network,
  ScrollText,
  Server,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  UserCog,
  Users,
};

/** A feature's own icon; none when the table names none that is drawn here. */
export function FeatureIcon({ id }: { readonly id: FeatureId }) {
  const Icon = icons[features[id].icon ?? ''];
  return Icon === undefined ? null : <Icon aria-hidden="true" />;
}
