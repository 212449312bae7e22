// The verbs that a signed-in person says, from any machine: they speak the web API and never touch the gateway's own folder.

/** A verb as the help shows it. */
interface PersonVerb {
  readonly verb: string;
  readonly usage: string;
  readonly help: string;
  readonly flags: readonly { readonly name: string; readonly argument: string; readonly help: string }[];
}

const sessionFile = {
  name: '--session-file',
  argument: 'FILE',
  help: 'Where the session is kept; otherwise ~/.config/postern/session.json',
};

export const personVerbs: readonly PersonVerb[] = [
  {
    verb: 'sign-in',
    usage: 'sign-in',
    help: 'Signs in to a gateway with a password and keeps the session in a file of yours',
    flags: [
      { name: '--url', argument: 'URL', help: 'The gateway, such as http://localhost:3080 (needed)' },
      { name: '--user', argument: 'NAME', help: 'Who signs in (needed)' },
      { name: '--password-file', argument: 'FILE', help: 'Its first line is the password; - is standard input' },
      sessionFile,
    ],
  },
  { verb: 'sign-out', usage: 'sign-out', help: 'Ends that session and deletes the file', flags: [sessionFile] },
  {
    verb: 'do',
    usage: 'do [COMMAND [ARGUMENTS]]',
    help: 'Runs a command of the console, such as "do ssh root@db-3"; alone it lists them',
    flags: [
      { name: '--help', argument: '', help: 'After a command: its arguments, and whether you may run it' },
      {
        name: '--output',
        argument: 'json|table',
        help: 'How the answer is written; table unless said (npm run --silent leaves out what npm says)',
      },
      { name: '--to', argument: 'FILE', help: 'Where a file goes that a command answers; otherwise standard output' },
      { name: '--yes', argument: '', help: 'Does not ask before what cannot be undone' },
      sessionFile,
    ],
  },
];

/** Verbs and flags as rows of the help: what is typed, and what it is for. */
export const personRows = (verbs: readonly PersonVerb[]): readonly (readonly [string, string])[] =>
  verbs.flatMap(verb => [
    [`  ${verb.usage}`, verb.help] as const,
    ...verb.flags.map(flag => [`      ${`${flag.name} ${flag.argument}`.trimEnd()}`, flag.help] as const),
  ]);

/** The help of one verb. */
export function personHelp(verb: string): string {
  const rows = personRows(personVerbs.filter(one => one.verb === verb));
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [
    'Usage: npm run postern -- VERB [words and flags]',
    '',
    ...rows.map(([left, right]) => `${left.padEnd(width)}${right}`),
  ].join('\n');
}

/** Whether the first word on the command line is one of these verbs. */
export const isPersonVerb = (word: string | undefined): boolean => personVerbs.some(({ verb }) => verb === word);
