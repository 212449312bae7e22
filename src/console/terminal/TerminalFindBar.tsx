import { CaseSensitive, Regex } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { BarButton } from '../ui/BarButton.tsx';
import { FindBar } from '../ui/FindBar.tsx';
import { FIND_FIELD, type Terminals } from './terminals.ts';

const isPattern = (text: string): boolean => {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false; // half-typed patterns are normal
  }
};

/** Finds text in the terminal in front: Enter goes on, Shift+Enter back, Escape ends it. */
export function TerminalFindBar({ terminals }: { readonly terminals: Terminals }) {
  const { state } = terminals;
  const { found, current } = useSnapshot(state);
  const [text, setText] = useState('');
  const [caseSensitive, setCase] = useState(false);
  const [regex, setRegex] = useState(false);
  const isBad = regex && !isPattern(text);

  const find = (back: boolean, typing: boolean): void => {
    if (!isBad) terminals.handle(state.current)?.find(text, { back, caseSensitive, regex, typing });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: searches when what is looked for changes, not when `find` is made anew
  useEffect(() => find(false, true), [text, caseSensitive, regex]);
  useEffect(
    () => () => {
      terminals.handle(current)?.endFind();
      state.found = { index: -1, count: 0 };
    },
    [terminals, state, current],
  );

  const count = found.count === 0 ? 'None found' : `${found.index < 0 ? '–' : found.index + 1} of ${found.count}`;
  return (
    <FindBar
      id={FIND_FIELD}
      label="Find in the terminal"
      text={text}
      onText={setText}
      found={text === '' ? '' : isBad ? 'Not a pattern' : count}
      isBad={isBad}
      onEnter={isBack => find(isBack, false)}
      onStep={by => find(by < 0, false)}
      onClose={() => {
        state.isSearching = false;
        terminals.handle(state.current)?.focus();
      }}
      keys={{ previous: 'Shift+Enter', next: 'Enter' }}
      options={
        <>
          <BarButton name="Match case" isOn={caseSensitive} onClick={() => setCase(!caseSensitive)}>
            <CaseSensitive size={14} aria-hidden />
          </BarButton>
          <BarButton name="Regular expression" isOn={regex} onClick={() => setRegex(!regex)}>
            <Regex size={14} aria-hidden />
          </BarButton>
        </>
      }
    />
  );
}
