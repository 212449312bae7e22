// Web applications: how they are opened, added and changed.
import { answer } from './answer.ts';
import { type Command, command, type Facts } from './command.ts';
import { thingArgument } from './find.ts';
import { may, needs, onlyAtRoot, reaches, reachesInConsole, signedIn } from './gates.ts';
import { registered } from './registered.ts';
import { copyAddress } from './resources.ts';
import { showOn } from './show-on.ts';

/** Fetched when one of them is run. */
const loadActs = () => import('./application-acts.ts');

const onApplications = (facts: Facts): boolean => signedIn(facts) && reaches('apps')(facts);
/** What is wrong with a name for one, or undefined. */
export const wrongApplicationName = (typed: string): string | undefined =>
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(typed.trim())
    ? undefined
    : 'At most 63 lower-case letters, digits and dashes: it is part of a host name';
/** What is wrong with where one is, or undefined. */
export const wrongApplicationAddress = (typed: string): string | undefined =>
  /^((https?|tcp):\/\/[^\s/?#@]+|cloud:\/\/(azure|gcp)\/?$)/i.test(typed.trim())
    ? undefined
    : 'Type an address with its scheme, such as http://localhost:8080 or cloud://Azure';

const added = registered({
  noun: 'application',
  prefix: 'applications',
  one: 'an application',
  page: 'apps',
  key: 'appServers',
  resource: 'app_server',
  manual: 'addApplication',
  words: ['web', 'app'],
  name: {
    name: 'name',
    title: 'Name, such as wiki: part of its host name',
    free: wrongApplicationName,
    choices: () => [],
  },
  asks: [
    {
      name: 'address',
      title: 'Address, such as http://localhost:8080',
      free: wrongApplicationAddress,
      choices: () => [],
    },
  ],
  changes: { what: 'the address', title: 'New address, or nothing' },
  loadActs: async () => (await loadActs()).acts,
});

export const applications: readonly Command[] = [
  command({
    id: 'applications.open',
    title: 'Open an application…',
    group: 'session',
    words: ['launch', 'web', 'browser', 'app', 'visit'],
    when: onApplications,
    args: [thingArgument('application')],
    fits: ({ launch }) => launch !== undefined,
    onThing: { label: 'Launch', title: name => `Open ${name}`, icon: 'AppWindow' },
    phrase: {
      example: 'app wiki',
      usage: { name: 'app', args: [{ name: 'application', text: 'APPLICATION' }] },
      read: typed => {
        const [, application] = /^app\s+(\S*)\s*$/.exec(typed) ?? [];
        return application === undefined ? undefined : { application };
      },
      write: ({ application = '' }) => `app ${application}`,
    },
    run: async (...asked) => (await loadActs()).open(...asked),
  }),
  copyAddress('application', 'apps'),
  added.add,
  command({
    id: 'applications.addSaml',
    title: 'Add an application that takes SAML…',
    manual: 'samlApplication',
    group: 'manage',
    words: ['new', 'register', 'single sign-on', 'sso', 'service provider', 'app', 'metadata'],
    when: reachesInConsole('apps'),
    blocked: facts =>
      needs('samlIdpServiceProvider', 'create', 'saml_idp_service_provider')(facts) ?? onlyAtRoot(facts),
    run: (_given, facts, tools) => showOn('apps', { newSaml: 'yes' }, facts, tools),
  }),
  command({
    id: 'applications.changeSaml',
    title: 'Change an application that takes SAML…',
    manual: 'samlApplication',
    group: 'manage',
    words: ['edit', 'single sign-on', 'sso', 'service provider', 'metadata', 'attributes'],
    when: reachesInConsole('apps'),
    blocked: facts => needs('samlIdpServiceProvider', 'edit', 'saml_idp_service_provider')(facts) ?? onlyAtRoot(facts),
    args: [thingArgument('application')],
    fits: ({ saml }) => saml === true,
    onThing: { label: 'Edit', title: name => `Change how ${name} takes SAML`, icon: 'Pencil' },
    run: (given, facts, tools) => showOn('apps', { saml: answer(given, 'application').value }, facts, tools),
  }),
  added.trial,
  { ...added.change, fits: ({ saml }) => saml !== true },
  {
    ...added.remove,
    // Which of both rights counts is known with the application.
    blocked: facts =>
      may('samlIdpServiceProvider', 'remove')(facts) ? onlyAtRoot(facts) : added.remove.blocked?.(facts),
  },
];
