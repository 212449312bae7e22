// The icons that the tables of pages and nouns name: they say which, the console draws it.
import {
  AppWindow,
  BookOpen,
  ChevronRight,
  CirclePlay,
  Container,
  Copy,
  Database,
  Eye,
  KeyRound,
  LifeBuoy,
  Monitor,
  Network,
  Pencil,
  Play,
  ScrollText,
  Server,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  UserCog,
  Users,
  UsersRound,
} from 'lucide-react';

const icons: Readonly<Record<string, typeof Server>> = {
  AppWindow,
  BookOpen,
  CirclePlay,
  Container,
  Copy,
  Database,
  Eye,
  KeyRound,
  LifeBuoy,
  Monitor,
  Network,
  Pencil,
  Play,
  ScrollText,
  Server,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  UserCog,
  Users,
  UsersRound,
};

/** The icon of that name; for a name that is not drawn here, a mark that stands for anything. */
export function NamedIcon({ name }: { readonly name: string }) {
  const Icon = icons[name] ?? ChevronRight;
  return <Icon aria-hidden="true" />;
}
