import { expect, test } from 'vitest';
import { readableChord } from './KeyCap.tsx';

test('a chord reads as people say it', () => {
  expect(
    ['mod+k', 'g s', 'ctrl+shift+f', 'alt+1', '?', 'j, down', 'shift+g', 'f1', 'mod++'].map(chord =>
      readableChord(chord).join(' '),
    ),
  ).toEqual(['Ctrl+K', 'G S', 'Ctrl+Shift+F', 'Alt+1', '?', 'J', 'Shift+G', 'F1', 'Ctrl++']);
});
