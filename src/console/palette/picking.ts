// A question that is answered with several names: what is held now, what was picked, and so what is added and taken away.
import { textChoice } from '../../../commands/answer.ts';
import type { Argument, Choice } from '../../../commands/command.ts';
import type { Offered } from './progress.ts';
import { type Row, typedRow } from './rows.ts';

export interface Picked {
  readonly held: readonly string[];
  readonly now: readonly string[];
}

export interface PickedChip {
  readonly name: string;
  readonly title: string;
  /** Absent: it was held and stays. */
  readonly change?: 'added' | 'removed';
}

/** With the name when it was not picked, without it when it was. */
export const toggled = ({ held, now }: Picked, name: string): Picked => ({
  held,
  now: now.includes(name) ? now.filter(other => other !== name) : [...now, name],
});

/** What was held first, also what is taken away, then what is added. */
export function pickedChips({ held, now }: Picked): readonly PickedChip[] {
  const chip = (title: string, change?: 'added' | 'removed'): PickedChip => ({
    name: `picked ${title}`,
    title,
    ...(change === undefined ? {} : { change }),
  });
  return [
    ...held.map(title => chip(title, now.includes(title) ? undefined : 'removed')),
    ...now.filter(title => !held.includes(title)).map(title => chip(title, 'added')),
  ];
}

/** "adds auditor, takes away editor"; '' when it is what is held. */
function differenceText({ held, now }: Picked): string {
  const added = now.filter(name => !held.includes(name));
  const lost = held.filter(name => !now.includes(name));
  return [
    ...(added.length > 0 ? [`adds ${added.join(', ')}`] : []),
    ...(lost.length > 0 ? [`takes away ${lost.join(', ')}`] : []),
  ].join(', ');
}

/** Rows of such a question: while nothing is typed the whole answer first, with what it changes; then names to add or to take away. */
export function pickRows(
  arg: Argument,
  picked: Picked,
  typed: string,
  offered: readonly Offered[],
  /** The gateway is about to answer: names as they were typed wait for that. */
  isComing: boolean,
  does: { readonly take: (choice: Choice) => void; readonly toggle: (name: string) => void },
): Row[] {
  const text = typed.trim();
  const known = offered.map(({ choice, ranges }) => ({ name: choice.value, ranges }));
  const unlisted = [...new Set([...picked.held, ...picked.now])].filter(
    name => name.toLowerCase().startsWith(text.toLowerCase()) && !known.some(other => other.name === name),
  );
  const names = [...known, ...unlisted.map(name => ({ name, ranges: [] }))];
  const rows = names.map(({ name, ranges }): Row => {
    const isIn = picked.now.includes(name);
    return {
      id: `pick ${name}`,
      icon: 'choice',
      title: name,
      ranges,
      completes: true,
      enter: isIn ? 'Take away' : 'Add',
      ...(isIn ? { detail: 'held' } : {}),
      choose: () => does.toggle(name),
    };
  });
  const whole = picked.now.join(', ');
  const wrong = arg.free?.(text === '' ? whole : text);
  if (text !== '') {
    if (isComing || arg.free === undefined || names.some(({ name }) => name === text)) return rows;
    return [...rows, typedRow(text, wrong, 'Add', () => does.toggle(text))];
  }
  const difference = differenceText(picked);
  const refused = wrong ?? (difference === '' ? 'Nothing changes: pick what to add, or what to take away' : undefined);
  const done: Row = {
    id: 'picked',
    icon: 'free',
    title: whole === '' ? 'None' : whole,
    ranges: [],
    detail: refused ?? difference,
    enter: 'Change',
    choose: () => does.take(textChoice(whole)),
    ...(refused === undefined ? {} : { refused }),
  };
  return [done, ...rows];
}
