// Every verb that acts as a signed-in person: signing in and out, and the rows of the registry that need no page.
import { shellCommands } from '../../../commands/shell.ts';
import { explainAccess } from '../../contract/rights.ts';
import { answerCan, canUsage } from '../can.ts';
import { SESSION_FLAG } from '../read.ts';
import { UsageError, type Verb } from '../verb.ts';
import { auditVerbs } from './audit-verbs.ts';
import { botVerb } from './bots.ts';
import { databaseVerbs } from './databases.ts';
import { impersonateVerb } from './impersonate.ts';
import { kubernetesVerbs } from './kubernetes.ts';
import { loginRuleVerbs } from './login-rules.ts';
import { mcpVerb } from './mcp.ts';
import { open } from './opened.ts';
import { playVerb } from './play.ts';
import { worksHere } from './refusal.ts';
import { listVerbs, moreOf, runCommand } from './run.ts';
import { runManyVerb, runOnServer } from './run-many.ts';
import { scpVerb } from './scp.ts';
import { signInVerb, signOutVerb } from './sign-in.ts';
import { usageOf } from './spoken.ts';
import { sshClientVerbs } from './ssh-clients.ts';
import { tunnelVerbs } from './tunnels.ts';

/** The registry's rows that can run here for somebody. */
const commandVerbs: readonly Verb[] = shellCommands.filter(worksHere).map(command => ({
  ...usageOf(command),
  more: typed => moreOf(command, typed),
  run: (typed, surface) => runCommand(command, typed, surface),
}));

/** `ssh` takes a command as well, which then runs without a terminal. */
const withCommand = (verb: Verb): Verb => ({
  ...verb,
  words: [...verb.words, '[COMMAND…]'],
  async run(typed, surface) {
    const [at = '', ...command] = typed.words;
    if (command.length === 0) return verb.run(typed, surface);
    const [, login, hostname] = /^([^@]+)@([^@]+)$/.exec(at) ?? [];
    if (login === undefined || hostname === undefined)
      throw new UsageError(`ssh: "${at}": such as root@db-3 expected before a command`);
    return runOnServer(typed, surface, { hostname, login, command: command.join(' ') });
  },
});

export const personVerbs: readonly Verb[] = [
  {
    verb: 'sign-in',
    words: [],
    help: 'Signs in to a gateway and keeps the session in a file of yours',
    flags: [
      { name: '--url', argument: 'URL', help: 'The gateway, such as http://localhost:3080', needed: true },
      { name: '--user', argument: 'NAME', help: 'Who signs in; without it, at the identity provider in your browser' },
      { name: '--connector', argument: 'NAME', help: 'Which identity provider, where there are several' },
      { name: '--password-file', argument: 'FILE', help: 'Its first line is the password; - is standard input' },
      {
        name: '--headless',
        help: 'Asks for nothing here: shows a link that is approved with a hardware key in a browser elsewhere',
      },
      { name: '--no-browser', help: 'Opens no browser: shows the address alone' },
      SESSION_FLAG,
    ],
    run: signInVerb,
  },
  {
    verb: 'sign-out',
    words: [],
    help: 'Ends that session and deletes the file',
    flags: [SESSION_FLAG],
    run: signOutVerb,
  },
  {
    verb: 'verbs list',
    words: [],
    help: 'Lists what you may do as who is signed in, and why not where you may not',
    flags: [{ name: '--output', argument: 'table|json', help: 'How it is written; table unless said' }, SESSION_FLAG],
    run: (typed, surface) => listVerbs(typed, surface),
  },
  {
    ...canUsage,
    flags: [...canUsage.flags, SESSION_FLAG],
    async run(typed, surface) {
      await answerCan(typed, surface, async query => {
        const { session, clusterId } = await open(typed);
        return session.call(explainAccess, { params: { clusterId }, query });
      });
      return 0;
    },
  },
  runManyVerb,
  scpVerb,
  playVerb,
  mcpVerb,
  ...auditVerbs,
  ...loginRuleVerbs,
  ...databaseVerbs,
  ...tunnelVerbs,
  ...kubernetesVerbs,
  ...sshClientVerbs,
  botVerb,
  impersonateVerb,
  ...commandVerbs.map(verb => (verb.verb === 'ssh' ? withCommand(verb) : verb)),
];
