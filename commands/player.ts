// Playing a recording: what the player's page does, by the same keys in the help sheet, the palette and the player.
import { type Command, command, type Facts, type PlayerAct, type Tenth } from './command.ts';
import { inConsole } from './gates.ts';

/** Its keys are those of lists too: no page has both. */
const onPlayer = (facts: Facts): boolean => inConsole(facts) && facts.feature === 'player';

const row = (act: PlayerAct, title: string, keys: string | undefined, words: readonly string[]): Command =>
  command({
    id: `player.${act}`,
    title,
    group: 'player',
    ...(keys !== undefined && { keys }),
    words,
    when: onPlayer,
    run: (_given, _facts, tools) => tools.player?.(act),
  });

const tenths: readonly Tenth[] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

export const player: readonly Command[] = [
  row('toggle', 'Play or pause', 'space, k', ['stop', 'resume']),
  row('back', 'Back 5 s', 'j, left', ['rewind', 'seek']),
  row('on', 'On 5 s', 'l, right', ['forward', 'seek']),
  row('start', 'To the beginning of the recording', 'home', ['rewind', 'first']),
  row('end', 'To the end of the recording', 'end', ['last']),
  row('slower', 'Play slower', '<', ['speed']),
  row('faster', 'Play faster', '>', ['speed']),
  row('frameBack', 'Back by one print', ',', ['frame', 'step']),
  row('frameOn', 'On by one print', '.', ['frame', 'step']),
  row('previousMark', 'To the mark before: a command, a copied file, a resize, somebody who came or left', '[', [
    'chapter',
    'jump',
  ]),
  row('nextMark', 'To the next mark', ']', ['chapter', 'jump']),
  ...tenths.map(tenth => row(`at${tenth}`, `To ${Number(tenth) * 10} % of the recording`, tenth, ['seek', 'jump'])),
  row('scrollUp', 'Up in what the recording had scrolled away', 'pageup', ['scrollback']),
  row('scrollDown', 'Down in what the recording had scrolled away', 'pagedown', ['scrollback']),
  row('skipIdle', 'Skip idle time, or no longer', 's', ['pauses', 'silence']),
  row('search', 'Search the text of the recording', '/', ['find']),
  row('commands', 'List the commands that were run', 'c', ['chapters', 'marks', 'history']),
  row('next', 'Next hit in the recording', 'n', ['match', 'find']),
  row('previous', 'Previous hit in the recording', 'shift+n', ['match', 'find']),
  row('copyLink', 'Copy a link to this moment', 'y', ['share', 'url', 'address']),
  row('export', 'Download this recording as asciicast', undefined, ['save', 'file', 'asciinema']),
  row('exportText', 'Download this recording as plain text', undefined, ['save', 'file', 'txt']),
  row('exportHtml', 'Download this recording as a page that plays by itself', undefined, ['save', 'file', 'html']),
  row('exportCsv', 'Download the statements or requests of this recording as CSV', undefined, [
    'save',
    'queries',
    'list',
  ]),
  row('exportJson', 'Download the statements or requests of this recording as JSON', undefined, [
    'save',
    'queries',
    'list',
  ]),
  row('exportVideo', 'Make a video of this recording of a desktop', 'v', ['save', 'file', 'webm', 'export', 'film']),
];
