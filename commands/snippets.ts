// Snippets: from the palette into the terminal in front, and to the page where they are written.
import type { Snippet } from '../src/contract/snippets.ts';
import { answer, CHOICES_MOST } from './answer.ts';
import { type Argument, type Command, command, type Tools } from './command.ts';
import { hasTerminal, inConsole } from './gates.ts';

/** Names one among a person's own and the shared ones, which may be called the same. */
export const snippetId = ({ isOwn, name }: Snippet): string => `${isOwn ? 'own' : 'shared'}/${name}`;
async function all(tools: Pick<Tools, 'call'>): Promise<readonly Snippet[]> {
  const { listSnippets } = await import('../src/contract/snippets.ts');
  return (await tools.call(listSnippets)).snippets;
}

const snippetArgument: Argument = {
  name: 'snippet',
  title: 'Snippet',
  choices: async (typed, _given, _facts, tools) =>
    (await all(tools))
      .filter(({ name, text, description }) =>
        `${name} ${description} ${text}`.toLowerCase().includes(typed.toLowerCase()),
      )
      .slice(0, CHOICES_MOST)
      .map(one => ({
        value: snippetId(one),
        title: one.name,
        detail: one.description || one.text.split('\n')[0] || '',
      })),
};

export const snippets: readonly Command[] = [
  command({
    id: 'snippet.insert',
    title: 'Insert a snippet…',
    group: 'terminal',
    terminalKeys: 'ctrl+shift+e',
    words: ['quick command', 'template', 'text'],
    when: hasTerminal,
    args: [snippetArgument],
    phrase: {
      example: 'snippet disk',
      usage: { name: 'snippet', args: [{ name: 'snippet', text: 'NAME' }] },
      read(typed) {
        const [, snippet] = /^snippet\s+(\S*)\s*$/.exec(typed) ?? [];
        return snippet === undefined ? undefined : { snippet };
      },
      write: ({ snippet = '' }) => `snippet ${snippet.split('/').at(-1)}`,
    },
    manual: 'snippets',
    run: async (given, _facts, tools) => {
      const { value } = answer(given, 'snippet');
      const known = await all(tools);
      const found = known.find(one => snippetId(one) === value) ?? known.find(({ name }) => name === value);
      if (found === undefined) throw new Error(`There is no snippet "${value}"`);
      tools.terminal.insert(found);
    },
  }),
  command({
    id: 'snippet.new',
    title: 'Write a snippet',
    group: 'terminal',
    words: ['save', 'new', 'edit', 'template'],
    when: inConsole,
    run: (_given, _facts, tools) => tools.go('snippets', {}, { new: 'yes' }),
  }),
];
