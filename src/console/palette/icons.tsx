// The icon at the left of a palette row, by what the row is.
import {
  ArrowRight,
  BookOpen,
  ChevronRight,
  List,
  Play,
  RotateCw,
  Settings2,
  SquareTerminal,
  Terminal,
  TextCursorInput,
  User,
  Wrench,
} from 'lucide-react';
import { iconOf, nouns } from '../../features/nouns.ts';
import type { NounId } from '../../features/thing.ts';
import { NamedIcon } from '../ui/NamedIcon.tsx';
import type { RowIconName } from './rows.ts';

const icons: Readonly<Record<Exclude<RowIconName, NounId>, typeof List>> = {
  // Groups of commands.
  'do go': ArrowRight,
  'do session': SquareTerminal,
  'do terminal': Terminal,
  'do list': List,
  'do player': Play,
  'do account': User,
  'do manage': Wrench,
  'do console': Settings2,
  manual: BookOpen,
  // Answers.
  choice: ChevronRight,
  free: TextCursorInput,
  again: RotateCw,
};

export const isNoun = (icon: RowIconName): icon is NounId => Object.hasOwn(nouns, icon);

export function RowIcon({ name }: { readonly name: RowIconName }) {
  if (isNoun(name)) return <NamedIcon name={iconOf(name) ?? 'AppWindow'} />;
  const Icon = icons[name];
  return <Icon aria-hidden="true" />;
}
