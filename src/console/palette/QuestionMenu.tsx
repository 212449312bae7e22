import { useState } from 'react';
import type { Argument, Choice } from '../../../commands/command.ts';
import { MenuField } from '../ui/MenuField.tsx';
import { MenuItem, MenuNote } from '../ui/MenuItem.tsx';
import { Popup } from '../ui/Popup.tsx';

const WIDTH_PX = 264;

/** One question of a command, asked beside what it is about and not in the palette: the same choices, and the same check of what is typed. */
export function QuestionMenu({
  label,
  arg,
  choices,
  anchor,
  onAnswer,
  onClose,
}: {
  readonly label: string;
  readonly arg: Argument;
  readonly choices: readonly Choice[];
  readonly anchor: HTMLElement;
  readonly onAnswer: (choice: Choice) => void;
  readonly onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const text = typed.trim();
  const shown = choices.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()));
  const answer = (choice: Choice): void => {
    onClose();
    onAnswer(choice);
  };
  const submit = (): void => {
    const wrong = text === '' ? undefined : arg.free?.(text);
    const choice = text === '' ? choices.find(({ refused }) => refused === undefined) : { value: text, title: text };
    if (wrong !== undefined) setProblem(wrong);
    else if (choice !== undefined) answer(choice);
  };
  const items = shown.map(choice => (
    <MenuItem key={choice.value} detail={choice.detail} refused={choice.refused} onChoose={() => answer(choice)}>
      {choice.title}
    </MenuItem>
  ));
  return (
    <Popup
      anchor={anchor}
      label={label}
      placement="bottom-end"
      width={WIDTH_PX}
      kind={arg.free === undefined ? 'menu' : 'dialog'}
      from="first"
      onClose={onClose}
    >
      {arg.free === undefined ? (
        items
      ) : (
        <>
          <MenuField
            label={arg.title}
            mono
            value={typed}
            onType={next => {
              setTyped(next);
              setProblem('');
            }}
            onKeyDown={event => {
              if (event.key === 'Enter') submit();
            }}
          />
          {problem !== '' && <MenuNote>{problem}</MenuNote>}
          {items.length > 0 && (
            <div role="menu" aria-label={`${arg.title}s`}>
              {items}
            </div>
          )}
        </>
      )}
    </Popup>
  );
}
