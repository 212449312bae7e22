// Access requests: asking for roles or single things for a while, reviewing what others ask for, using and dropping what was given.
import { answer, textChoice } from './answer.ts';
import { type Argument, type Command, command, type Facts, type Thing } from './command.ts';
import { listedArgument } from './find.ts';
import { inConsole, needs, signedIn } from './gates.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./requests-acts.ts');

/** What can be asked for, as it is typed: `role dba`, `ssh root@db-3`, `db orders`. */
const askable = ['role', 'ssh', 'db', 'kube', 'desktop', 'app'] as const;
export type Askable = (typeof askable)[number];

export interface Asked {
  readonly kind: Askable;
  readonly login?: string;
  readonly target: string;
}
/** Reads what is asked for; undefined when it is not that. A role may be several, with commas between them. */
function readAsked(typed: string): Asked | undefined {
  const [, word = '', login, target] = /^\s*(\S+)\s+(?:([^\s@]+)@)?(\S+)\s*$/.exec(typed) ?? [];
  const kind = askable.find(one => one === word.toLowerCase());
  if (kind === undefined || target === undefined) return undefined;
  if (kind === 'role') return { kind, target: login === undefined ? target : `${login}@${target}` };
  return { kind, target, ...(login !== undefined && { login }) };
}

/** The gateway reads it again. */
const isTime = (typed: string): boolean => /^(\d+[smhd])+$/.test(typed);

/** `request ssh root@db-3 for 2h "incident 4711"`. */
function readPhrase(typed: string): Readonly<Record<string, string>> | undefined {
  const [, kind, target, ttl, more = ''] =
    /^request\s+(\S+)\s+(\S+)(?:\s+for\s+(\S+))?(?:\s+([\s\S]*))?$/i.exec(typed) ?? [];
  const what = `${kind} ${target}`;
  if (kind === undefined || readAsked(what) === undefined) return undefined;
  const reason = more.trim().replace(/^"([^"]*)"?$/, '$1');
  return { what, ...(ttl !== undefined && { ttl }), ...(reason !== '' && { reason }) };
}

const HOW = `Type one of ${askable.join(', ')} and a name, such as ssh root@db-3`;
const whatArgument: Argument = {
  name: 'what',
  title: 'What: role NAME, or ssh LOGIN@SERVER, db, kube, desktop or app NAME',
  free: typed => (readAsked(typed) === undefined ? HOW : undefined),
  choices: async (...asked) => (await loadActs()).askableChoices(...asked),
};
const ttlArgument: Argument = {
  name: 'ttl',
  title: 'For how long, such as 2h; nothing: up to eight hours',
  optional: true,
  free: typed => (typed === '' || isTime(typed) ? undefined : 'Type a time such as 2h or 30m, or nothing'),
  choices: () => ['1h', '2h', '4h', '8h'].map(textChoice),
};
const reasonArgument: Argument = {
  name: 'reason',
  title: 'Why, for whoever reviews it; nothing: no reason',
  optional: true,
  free: typed => (typed.length > 1000 ? 'A reason has at most 1000 characters' : undefined),
  choices: () => [],
};

const requestArgument = listedArgument('request');
const reviewBlocked = needs('accessRequests', 'edit', 'access requests');
const mayReview = ({ request }: Thing): string | undefined =>
  request?.mayReview === true ? undefined : 'This one does not wait for your review';
const mayUse = ({ request }: Thing): boolean => request?.mayUse === true;

/** Whether somebody may ask for anything at all. */
const askBlocked = ({ who }: Facts): string | undefined =>
  (who?.accessCapabilities.requestableRoles.length ?? 0) + (who?.allowedSearchAsRoles.length ?? 0) > 0
    ? undefined
    : 'None of your roles names anything that you may ask for';

export const requests: readonly Command[] = [
  command({
    id: 'requests.new',
    title: 'Request access…',
    group: 'manage',
    keys: 'q',
    words: ['ask', 'elevate', 'sudo', 'role', 'just in time', 'permission'],
    when: signedIn,
    blocked: askBlocked,
    args: [whatArgument, ttlArgument, reasonArgument],
    manual: 'requestAccess',
    phrase: {
      example: 'request ssh root@db-3 for 2h "incident 4711"',
      usage: {
        name: 'request',
        args: [
          { name: 'what', text: `${askable.join('|')} [LOGIN@]NAME` },
          { name: 'ttl', text: '[for TIME]' },
          { name: 'reason', text: '[REASON…]' },
        ],
      },
      read: readPhrase,
    },
    run: async (given, facts, tools) => {
      const asked = readAsked(answer(given, 'what').value);
      if (asked === undefined) throw new Error(HOW);
      return (await loadActs()).ask(asked, given, facts, tools);
    },
  }),
  command({
    id: 'requests.show',
    title: 'Show an access request…',
    group: 'list',
    words: ['view', 'details', 'grants'],
    when: inConsole,
    args: [requestArgument],
    onThing: { label: 'Look', title: name => `Look at ${name}`, icon: 'Eye' },
    run: (given, facts, tools) => showOn('accessRequests', { request: answer(given, 'request').value }, facts, tools),
  }),
  command({
    id: 'requests.review',
    title: 'Review Requests',
    group: 'manage',
    words: ['approve', 'deny', 'waiting', 'access requests'],
    when: inConsole,
    blocked: reviewBlocked,
    run: (_given, facts, tools) => showOn('accessRequests', { search: 'waits for you' }, facts, tools),
  }),
  command({
    id: 'requests.approve',
    title: 'Approve an access request…',
    group: 'list',
    keys: 'shift+y',
    words: ['review', 'allow', 'grant', 'yes'],
    when: signedIn,
    blocked: reviewBlocked,
    args: [requestArgument],
    onThing: { label: 'Approve', title: name => `Approve ${name}`, icon: 'ShieldCheck' },
    refuses: mayReview,
    manual: 'requestAccess',
    run: async (...asked) => (await loadActs()).approve(...asked),
  }),
  command({
    id: 'requests.approvePart',
    title: 'Approve a part of an access request…',
    group: 'list',
    words: ['review', 'some', 'subset', 'only'],
    when: signedIn,
    blocked: reviewBlocked,
    args: [
      requestArgument,
      {
        name: 'part',
        title: 'Which of it is approved',
        held: async (...asked) => (await loadActs()).partsOf(...asked),
        choices: async (typed, given, facts, tools) => (await loadActs()).partChoices(typed, given, facts, tools),
      },
    ],
    onThing: { label: 'Approve a part…', title: name => `Approve a part of ${name}…` },
    refuses: mayReview,
    run: async (...asked) => (await loadActs()).approve(...asked),
  }),
  command({
    id: 'requests.deny',
    title: 'Deny an access request…',
    group: 'list',
    keys: 'shift+n',
    words: ['review', 'refuse', 'reject', 'no'],
    when: signedIn,
    blocked: reviewBlocked,
    args: [requestArgument, { ...reasonArgument, title: 'Why, for whoever asked; nothing: no reason', aside: true }],
    onThing: { label: 'Deny', title: name => `Deny ${name}` },
    refuses: mayReview,
    manual: 'requestAccess',
    run: async (...asked) => (await loadActs()).deny(...asked),
  }),
  command({
    id: 'requests.use',
    title: 'Use what an access request gives…',
    group: 'manage',
    keys: 'shift+u',
    words: ['assume', 'elevate', 'switch'],
    when: signedIn,
    args: [requestArgument],
    onThing: { label: 'Use', title: name => `Use ${name}`, icon: 'KeyRound' },
    fits: mayUse,
    run: async (...asked) => (await loadActs()).use(...asked),
  }),
  command({
    id: 'requests.drop',
    title: 'Drop what access requests give',
    group: 'manage',
    words: ['switch back', 'unassume', 'stop using'],
    when: signedIn,
    blocked: ({ who }) => ((who?.assumed.length ?? 0) > 0 ? undefined : 'You use no access request now'),
    run: async (...asked) => (await loadActs()).drop(...asked),
  }),
  command({
    id: 'requests.withdraw',
    title: 'Withdraw an access request…',
    group: 'manage',
    destructive: true,
    words: ['delete', 'cancel', 'take back', 'revoke'],
    when: signedIn,
    args: [requestArgument],
    onThing: { label: 'Withdraw', title: name => `Withdraw ${name}` },
    run: async (...asked) => (await loadActs()).withdraw(...asked),
  }),
];
