// What the assistant does outside of a conversation: a command for the terminal in front, and a line for the audit log. Neither is run.
import * as z from 'zod/mini';
import type { AssistAct, Tools } from '../../../../commands/command.ts';
import { openAssistant } from '../../../client/assistant.ts';
import { type AssistantAction, type AssistantMessage, commandLine, progress } from '../../../contract/assistant.ts';
import { readJson } from '../../../contract/json.ts';
import type { PageTerminals } from '../../terminal/index.ts';
import { assistantPorts } from './use-assist.ts';

/** Of a selection, characters: as much as is explained. */
const EXPLAINED_MOST_CHARACTERS = 8000;

export interface AssistActParts {
  /** The gateway's own cluster. */
  readonly clusterId: string;
  readonly token: () => string | Promise<string>;
  readonly terminals: Pick<PageTerminals, 'loaded' | 'insert'>;
  readonly confirm: Tools['confirm'];
  readonly notify: Tools['notify'];
  readonly go: Tools['go'];
}

/** Everything that is said until it is over. Rejects with a sentence. */
function asked(
  { clusterId, token }: AssistActParts,
  action: AssistantAction,
  frame: string,
  isEnd: (message: AssistantMessage) => boolean,
): Promise<readonly AssistantMessage[]> {
  return new Promise((done, fail) => {
    const heard: AssistantMessage[] = [];
    const line = openAssistant(clusterId, { action }, assistantPorts(clusterId, token), {
      message(message) {
        heard.push(message);
        if (message.type !== 'CHAT_MESSAGE_ERROR' && !isEnd(message)) return;
        line.close();
        if (message.type === 'CHAT_MESSAGE_ERROR') fail(new Error(message.payload));
        else done(heard);
      },
      over: why => fail(new Error(why || 'The assistant said nothing')),
    });
    line.say(frame);
  });
}

/** The text that is selected in the terminal in front. Throws where there is none. */
function selectedText({ terminals }: AssistActParts): string {
  const loaded = terminals.loaded();
  const text = loaded?.handle(loaded.state.current)?.selected().trim() ?? '';
  if (text === '') throw new Error('Select something in the terminal first');
  return text.slice(0, EXPLAINED_MOST_CHARACTERS).toWellFormed();
}

/** Makes a command and, once its person agrees, writes it behind the prompt, without Enter. */
async function makeCommand(parts: AssistActParts, words: string): Promise<void> {
  parts.notify('The assistant makes a command…');
  const [said] = await asked(parts, 'ssh-cmdgen', words, ({ type }) => type === 'CHAT_MESSAGE_PROGRESS_UPDATE');
  const told = z.safeParse(progress, readJson(said?.payload ?? ''));
  const made = z.safeParse(z.object({ command: commandLine }), readJson((told.success && told.data.input) || ''));
  // The gateway has looked as well; what is typed for a person is looked at where it is typed.
  if (!made.success) throw new Error('The assistant made no command of one line');
  const { command } = made.data;
  const reasoning = told.success ? (told.data.reasoning ?? '') : '';
  const agreed = await parts.confirm({
    title: 'Put this command into the terminal?',
    text: `${command}\n\n${reasoning}${reasoning === '' ? '' : ' '}It is written behind the prompt, and not run: that takes your Enter.`,
    action: 'Put it in',
  });
  if (agreed) parts.terminals.insert({ name: 'assistant', text: command, enters: false, asIs: true });
}

/** Writes a search of the audit log into its field, where it waits for Enter. */
async function writeQuery(parts: AssistActParts, words: string): Promise<void> {
  parts.notify('The assistant writes a search…');
  const said = await asked(
    parts,
    'audit-query',
    words,
    ({ type }) => type === 'CHAT_PARTIAL_MESSAGE_ASSISTANT_FINALIZE',
  );
  const line = said
    .map(({ payload }) => payload)
    .join('')
    .trim();
  if (line === '') throw new Error('The assistant wrote nothing');
  parts.go('audit', { clusterId: parts.clusterId }, { draft: line });
}

/** Does it; answers the text that is to be explained. Rejects with a sentence. */
export async function actOf(
  act: Exclude<AssistAct, { readonly kind: 'toggle' }>,
  parts: AssistActParts,
): Promise<string | undefined> {
  if (act.kind === 'explain') return selectedText(parts);
  await (act.kind === 'command' ? makeCommand : writeQuery)(parts, act.words);
  return undefined;
}
