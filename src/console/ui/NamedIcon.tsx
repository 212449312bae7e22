// The icons that the tables of pages and nouns name: they say which, the console draws it.
import {
  AppWindow,
  BookOpen,
  CirclePlay,
  Container,
  Copy,
  Database,
  Eye,
  KeyRound,
  Laptop,
  LifeBuoy,
  Lock,
  MessageSquare,
  Monitor,
  Network,
  Pencil,
  Play,
  Plug,
  Plus,
  ScrollText,
  Server,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  UserCog,
  Users,
  UsersRound,
} from 'lucide-react';

const icons = {
  AppWindow,
  BookOpen,
  CirclePlay,
  Container,
  Copy,
  Database,
  Eye,
  KeyRound,
  Laptop,
  LifeBuoy,
  Lock,
  MessageSquare,
  Monitor,
  Network,
  Pencil,
  Play,
  Plug,
  Plus,
  ScrollText,
  Server,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  UserCog,
  Users,
  UsersRound,
};

/** The icon of that name. */
export function NamedIcon({ name }: { readonly name: keyof typeof icons }) {
  const Icon = icons[name];
  return <Icon aria-hidden="true" />;
}
