// `completion bash|zsh|fish`: a script made from the same table as reading and help.
import { bashScript } from './completion/bash.ts';
import { fishScript } from './completion/fish.ts';
import { entriesOf } from './completion/model.ts';
import { zshScript } from './completion/zsh.ts';
import { type Usage, UsageError, type Verb } from './verb.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;
const isShell = (word: string): word is Shell => Object.hasOwn(scripts, word);

/** The verb; `verbs` are asked for when it runs, since it is one of them. */
export const completionVerb = (verbs: () => readonly Usage[]): Verb => ({
  verb: 'completion',
  words: ['bash|zsh|fish'],
  flags: [],
  help: 'Prints what makes Tab complete verbs and flags: source <(postern completion bash)',
  run: async ({ words: [shell = ''] }, { print }) => {
    if (!isShell(shell)) throw new UsageError(`completion: "${shell}": bash, zsh or fish expected`);
    print(scripts[shell](entriesOf(verbs())).trimEnd());
    return 0;
  },
});
