// The verbs for the gateway's own machine. Rights are those of its account: whoever may open the admin socket.
import { readFile } from 'node:fs/promises';
import { hostNameOf } from '../../contract/address.ts';
import type { AdminAnswers } from '../../contract/admin.ts';
import { answerCan, canUsage } from '../can.ts';
import { LOCAL_FLAGS } from '../read.ts';
import { table } from '../table.ts';
import { Refused, type Typed, UsageError, type Verb } from '../verb.ts';
import { openGateway } from './gateway.ts';
import { readText } from './input.ts';
import { lockVerbs } from './lock-verbs.ts';
import type { MachineVerb } from './machine-verb.ts';
import { recordingVerbs } from './recording-verbs.ts';
import { resourceVerbs } from './resource-verbs.ts';

const list = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '');

function label(text: string): { readonly name: string; readonly value: string } {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--label: "${text}": key=value expected, such as env=prod`);
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

const word = (typed: Typed): string => typed.words[0] ?? '';
const inviteText = (invite: AdminAnswers['invite']): string =>
  `${invite.link}\nThe link is for ${invite.user}, works once, and until ${invite.expires}.`;

function report(check: AdminAnswers['check'], good: string): string {
  if (!check.ok) throw new Refused(check.problem);
  return good;
}

export const machineRows: readonly MachineVerb[] = [
  {
    verb: 'servers add',
    words: ['HOST[:PORT]'],
    flags: [
      { name: '--name', argument: 'NAME', help: 'Name to show; otherwise the host' },
      { name: '--label', argument: 'KEY=VALUE', help: 'A label; may be given again', many: true },
      {
        name: '--fingerprint',
        argument: 'SHA256:…',
        help: 'Pin the host key only if this is its fingerprint; asks nothing',
      },
      { name: '--yes', help: 'Pin whatever host key it shows; asks nothing' },
    ],
    help: 'Shows the host key of an OpenSSH server, asks, pins it, and adds the server',
    async run(typed, gateway, { print, ask }) {
      const labels = typed.all('--label').map(label);
      const { addr, hostKey } = await gateway.call<AdminAnswers['probe']>('POST', '/servers/probe', {
        addr: word(typed),
      });
      print(`${addr} shows a ${hostKey.type} key with the fingerprint\n  ${hostKey.fingerprint}`);
      const wanted = typed.one('--fingerprint');
      if (wanted !== undefined && wanted !== hostKey.fingerprint)
        throw new Refused(`That is not ${wanted}: nothing was added.`);
      if (wanted === undefined && !typed.has('--yes')) {
        if (!ask) throw new UsageError('there is no terminal to ask on: give --fingerprint SHA256:… or --yes');
        print('Compare it with what "ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub" says on the server.');
        if (!(await ask('Is it the same?'))) throw new Refused('Nothing was added.');
      }
      const server = await gateway.call<AdminAnswers['server']>('POST', '/servers', {
        addr,
        hostname: typed.one('--name') ?? hostNameOf(addr),
        labels,
        hostKey: hostKey.publicKey,
      });
      print(`Added ${server.hostname} (${server.id}). Its TrustedUserCAKeys file must hold the line of "ca export".`);
    },
  },
  {
    verb: 'servers list',
    words: [],
    flags: [],
    help: 'Lists the servers',
    async run(_typed, gateway, { print }) {
      const servers = await gateway.call<readonly AdminAnswers['server'][]>('GET', '/servers');
      const labels = (server: AdminAnswers['server']) =>
        Object.entries(server.labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(' ');
      const place = ({ own, addr, subKind }: AdminAnswers['server']) =>
        own ? 'this machine' : subKind === 'local' ? 'machine of another gateway' : addr;
      print(table(servers.map(server => [server.hostname, place(server), server.id, labels(server)])));
    },
  },
  {
    verb: 'servers remove',
    words: ['NAME|ID'],
    flags: [],
    help: 'Removes a server from the list',
    async run(typed, gateway, { print }) {
      const server = await gateway.call<AdminAnswers['server']>(
        'DELETE',
        `/servers/${encodeURIComponent(word(typed))}`,
      );
      print(`Removed ${server.hostname} (${server.id}).`);
    },
  },
  {
    verb: 'servers prepare',
    words: [],
    flags: [{ name: '--users', help: 'Prints the script that has a server make users for sessions instead' }],
    help: 'Prints the script that has a server tell what programs do in its sessions; run it there as root',
    async run(typed, _gateway, { print }) {
      const script = typed.has('--users') ? './prepare-users.sh' : './prepare-server.sh';
      print(await readFile(new URL(script, import.meta.url), 'utf8'));
    },
  },
  {
    verb: 'ca export',
    words: [],
    flags: [],
    help: "Prints the line for the servers' TrustedUserCAKeys file",
    async run(_typed, gateway, { print }) {
      print((await gateway.call<{ readonly line: string }>('GET', '/ca')).line);
    },
  },
  {
    verb: 'users add',
    words: ['NAME'],
    flags: [
      { name: '--roles', argument: 'A,B', help: 'Roles, such as access,editor,auditor', needed: true },
      { name: '--logins', argument: 'X,Y', help: 'OS logins the user may use where a role says {{internal.logins}}' },
    ],
    help: 'Creates a user and prints an invite link',
    async run(typed, gateway, { print }) {
      const body = { name: word(typed), roles: list(typed.one('--roles')), logins: list(typed.one('--logins')) };
      print(inviteText(await gateway.call<AdminAnswers['invite']>('POST', '/users', body)));
    },
  },
  {
    verb: 'users reset',
    words: ['NAME'],
    flags: [],
    help: "Deletes a user's password and prints a link to set a new one",
    async run(typed, gateway, { print }) {
      print(
        inviteText(
          await gateway.call<AdminAnswers['invite']>('POST', `/users/${encodeURIComponent(word(typed))}/reset`, {}),
        ),
      );
    },
  },
  {
    verb: 'passwords accept',
    words: ['YES|NO'],
    flags: [{ name: '--force', help: 'Also where there is no connector: then nobody can sign in' }],
    help: 'Lets people sign in with a password of the gateway, or by connectors alone',
    async run(typed, gateway, { print }) {
      const said = word(typed).toLowerCase();
      if (said !== 'yes' && said !== 'no')
        throw new UsageError(`passwords accept: "${word(typed)}": yes or no expected`);
      await gateway.call<AdminAnswers['passwords']>('POST', '/passwords', {
        accepted: said === 'yes',
        force: typed.has('--force'),
      });
      print(said === 'yes' ? 'Passwords are accepted.' : 'Passwords are not accepted: people sign in by connectors.');
    },
  },
  ...resourceVerbs,
  ...lockVerbs,
  {
    ...canUsage,
    run: (typed, gateway, surface) =>
      answerCan(typed, surface, question =>
        gateway.call('GET', `/can?${new URLSearchParams(Object.entries(question))}`),
      ),
  },
  {
    verb: 'alerts add',
    words: [],
    flags: [
      { name: '--message', argument: 'TEXT', help: 'What the banner says', needed: true },
      {
        name: '--severity',
        argument: 'NUMBER',
        help: 'Below 5 info, 5 to 9 warning, 10 and above danger',
        needed: true,
      },
      { name: '--link', argument: 'URL', help: 'Where the banner leads' },
      { name: '--billing', help: 'Only for those who may see billing' },
    ],
    help: 'Shows a banner to everyone who signs in',
    async run(typed, gateway, { print }) {
      const severity = typed.one('--severity') ?? '';
      if (!/^\d{1,3}$/.test(severity))
        throw new UsageError(`--severity: "${severity}": a whole number from 0 to 100 expected`);
      const link = typed.one('--link');
      const alert = await gateway.call<AdminAnswers['alert']>('POST', '/alerts', {
        severity: Number(severity),
        message: typed.one('--message') ?? '',
        ...(link !== undefined && { link }),
        ...(typed.has('--billing') && { billing: true }),
      });
      print(`Added alert ${alert.name}.`);
    },
  },
  {
    verb: 'alerts list',
    words: [],
    flags: [],
    help: 'Lists the banners',
    async run(_typed, gateway, { print }) {
      const alerts = await gateway.call<readonly AdminAnswers['alert'][]>('GET', '/alerts');
      print(
        alerts.length === 0
          ? 'There are no alerts.'
          : table(alerts.map(alert => [alert.name, String(alert.severity), alert.message, alert.link])),
      );
    },
  },
  {
    verb: 'alerts remove',
    words: ['ID'],
    flags: [],
    help: 'Removes a banner',
    async run(typed, gateway, { print }) {
      await gateway.call('DELETE', `/alerts/${encodeURIComponent(word(typed))}`);
      print(`Removed alert ${word(typed)}.`);
    },
  },
  {
    verb: 'audit verify',
    words: [],
    flags: [
      {
        name: '--anchors',
        argument: 'FILE',
        help: 'Also against what was written down elsewhere; - for standard input',
      },
    ],
    help: 'Checks that no audit event was changed or removed',
    async run(typed, gateway, { print }) {
      const file = typed.one('--anchors');
      const anchors = file === undefined ? undefined : await readText(file);
      print(
        report(
          await gateway.call<AdminAnswers['check']>('POST', '/audit/verify', { anchors }),
          `The audit log is whole: every event fits the one before it${anchors === undefined ? '' : ', and the chains hold what the anchors say'}.`,
        ),
      );
    },
  },
  ...recordingVerbs,
];

/** The settings that say which gateway is meant, as "npm start" takes them. */
const settingsOf = (typed: Typed): readonly string[] =>
  LOCAL_FLAGS.flatMap(({ name, argument }) =>
    argument === undefined ? [] : typed.all(name).flatMap(value => [name, value]),
  );

/** Every verb for the machine, with the flags that name the gateway. */
export const machineVerbs: readonly Verb[] = machineRows.map(row => ({
  ...row,
  local: true,
  flags: [...row.flags, ...LOCAL_FLAGS],
  run: async (typed, surface) => {
    const gateway = await openGateway(settingsOf(typed));
    try {
      await row.run(typed, gateway, surface);
    } finally {
      await gateway.close();
    }
    return 0;
  },
}));
