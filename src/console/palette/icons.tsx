// The icon at the left of a palette row, by what the row is.
import {
  AppWindow,
  ArrowRight,
  ChevronRight,
  CirclePlay,
  Container,
  Database,
  List,
  Monitor,
  Network,
  RotateCw,
  Server,
  Settings2,
  ShieldCheck,
  SquareTerminal,
  Terminal,
  TextCursorInput,
  User,
  Users,
  Wrench,
} from 'lucide-react';

const icons: Readonly<Record<string, typeof Server>> = {
  // Groups of commands.
  'do go': ArrowRight,
  'do session': SquareTerminal,
  'do terminal': Terminal,
  'do list': List,
  'do account': User,
  'do manage': Wrench,
  'do console': Settings2,
  // Things.
  session: SquareTerminal,
  server: Server,
  recording: CirclePlay,
  user: Users,
  role: ShieldCheck,
  cluster: Network,
  application: AppWindow,
  database: Database,
  desktop: Monitor,
  kubernetes: Container,
  // Answers.
  choice: ChevronRight,
  free: TextCursorInput,
  again: RotateCw,
};

export function RowIcon({ name }: { readonly name: string }) {
  const Icon = icons[name] ?? ChevronRight;
  return <Icon aria-hidden="true" />;
}
