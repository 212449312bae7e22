// What the commands of access requests do: fetched when one of them is run.
import {
  type AccessRequest,
  createAccessRequest,
  deleteAccessRequest,
  getAccessRequest,
  type RequestableKind,
  reviewAccessRequest,
} from '../src/contract/access-requests.ts';
import { nearest } from '../src/contract/nearest.ts';
import { listNodes } from '../src/contract/nodes.ts';
import { listApps, listDatabases, listDesktops, listKubes } from '../src/contract/resources.ts';
import { renewSession } from '../src/contract/session.ts';
import { requestWords } from '../src/features/requests.ts';
import { dateTime } from '../src/features/times.ts';
import { answer, CHOICES_MOST, confirmed, textChoice } from './answer.ts';
import type { Choice, Facts, Given, Tools } from './command.ts';
import type { Askable, Asked } from './requests.ts';

type Caller = Pick<Tools, 'call'>;
type ThingKind = Exclude<Askable, 'role'>;

/** Things of each kind that a question shows. */
const SHOWN_OF_EACH = 12;
/** Logins of one server that a question shows. */
const LOGINS_SHOWN = 3;

interface Found {
  readonly id: string;
  readonly title: string;
  /** What could be used there. */
  readonly principals: readonly string[];
}
const kinds: Readonly<Record<ThingKind, RequestableKind>> = {
  ssh: 'node',
  db: 'db',
  kube: 'kube_cluster',
  desktop: 'windows_desktop',
  app: 'app',
};

/** What of a kind the roles that may be searched as lead to. Throws ApiError. */
async function findThings({ call }: Caller, clusterId: string, kind: ThingKind, search: string): Promise<Found[]> {
  const given = {
    params: { clusterId },
    query: { searchAsRoles: 'yes', limit: SHOWN_OF_EACH, ...(search && { search }) },
  };
  switch (kind) {
    case 'ssh':
      return (await call(listNodes, given)).items.map(({ id, hostname, sshLogins }) => ({
        id,
        title: hostname,
        principals: sshLogins,
      }));
    case 'db':
      return (await call(listDatabases, given)).items.map(({ name, database_users }) => ({
        id: name,
        title: name,
        principals: database_users.filter(user => user !== '*'),
      }));
    case 'kube':
      return (await call(listKubes, given)).items.map(({ name }) => ({ id: name, title: name, principals: [] }));
    case 'desktop':
      return (await call(listDesktops, given)).items.map(({ name, logins }) => ({
        id: name,
        title: name,
        principals: logins,
      }));
    case 'app':
      return (await call(listApps, given)).items.map(({ name, friendlyName }) => ({
        id: name,
        title: friendlyName || name,
        principals: [],
      }));
    default:
      return kind satisfies never;
  }
}

/** Roles that may be asked for, and things that roles which may be searched as lead to. */
export async function askableChoices(
  typed: string,
  _given: Given,
  { who, clusterId }: Facts,
  tools: Caller,
): Promise<readonly Choice[]> {
  const wanted = typed.trim().toLowerCase();
  const word = wanted.split(/[\s@]/).at(-1) ?? '';
  const roles = (who?.accessCapabilities.requestableRoles ?? [])
    .map(role => ({ ...textChoice(`role ${role}`), detail: 'role' }))
    .filter(({ value }) => value.toLowerCase().includes(wanted));
  if ((who?.allowedSearchAsRoles.length ?? 0) === 0) return roles.slice(0, CHOICES_MOST);
  const all = Object.keys(kinds) as ThingKind[];
  const named = all.filter(kind => wanted.startsWith(`${kind} `));
  const found = await Promise.all(
    (named.length > 0 ? named : all).map(async kind =>
      (await findThings(tools, clusterId, kind, all.some(one => one === word) ? '' : word)).flatMap(thing =>
        choicesOf(kind, thing),
      ),
    ),
  );
  return [...roles, ...found.flat()].slice(0, CHOICES_MOST);
}

function choicesOf(kind: ThingKind, { id, title, principals }: Found): Choice[] {
  const bare = { value: `${kind} ${id}`, title: `${kind} ${title}` };
  if (principals.length === 0) return [bare];
  return principals
    .slice(0, LOGINS_SHOWN)
    .map(login => ({ value: `${kind} ${login}@${id}`, title: `${kind} ${login}@${title}` }));
}

/** The one thing of that id or name. Throws Error with a sentence. */
async function thingCalled(tools: Caller, clusterId: string, kind: ThingKind, target: string): Promise<Found> {
  const found = await findThings(tools, clusterId, kind, target);
  const fitting = found.filter(({ id, title }) => id === target || title === target);
  const [only, another] = fitting.some(({ id }) => id === target) ? fitting.filter(({ id }) => id === target) : fitting;
  if (another !== undefined) throw new Error(`"${target}" names several of them: use the id`);
  if (only !== undefined) return only;
  const near = nearest(
    target,
    found.map(({ title }) => title),
  );
  throw new Error(
    `None of the roles that you may ask for leads to "${target}"${near === undefined ? '' : `: did you mean ${near}?`}`,
  );
}

/** What is asked of the gateway. Throws Error with a sentence. */
async function bodyOf(tools: Caller, clusterId: string, asked: Asked) {
  return asked.kind === 'role'
    ? { roles: asked.target.split(',').filter(name => name !== '') }
    : {
        resourceIds: [
          { kind: kinds[asked.kind], name: (await thingCalled(tools, clusterId, asked.kind, asked.target)).id },
        ],
        ...(asked.login !== undefined && { loginHint: asked.login }),
      };
}

/** What it would be, which nobody is asked yet. Rejects where it cannot be asked for. */
export const helping = async (tools: Caller, clusterId: string, asked: Asked): Promise<AccessRequest> =>
  tools.call(createAccessRequest, {
    params: { clusterId },
    // A reason is asked for afterwards.
    body: { ...(await bodyOf(tools, clusterId, asked)), reason: '-', dryRun: true },
  });

export async function ask(asked: Asked, given: Given, { clusterId }: Facts, tools: Tools): Promise<void> {
  const what = await bodyOf(tools, clusterId, asked);
  const made = await tools.call(createAccessRequest, {
    params: { clusterId },
    body: {
      ...what,
      reason: given.reason?.value ?? '',
      ...(given.ttl && given.ttl.value !== '' && { maxDuration: given.ttl.value }),
    },
  });
  tools.notify(saidOfAsking(made));
}

/** What whoever asked is told. */
export function saidOfAsking(made: AccessRequest): string {
  const by = made.reviewers.length > 0 ? ` by ${made.reviewers.map(({ name }) => name).join(', ')}` : '';
  return `Asked for ${requestWords(made)}: it waits for a review${by} (request ${made.id})`;
}

const get = (tools: Caller, clusterId: string, id: string) =>
  tools.call(getAccessRequest, { params: { clusterId, id } });

/** The parts of a request, as they are called. */
export async function partsOf(given: Given, tools: Caller): Promise<readonly string[]> {
  const one = await get(tools, '-current-', answer(given, 'request').value);
  return one.resources.length > 0 ? one.resources.map(({ details }) => details.friendlyName) : one.roles;
}
export async function partChoices(
  typed: string,
  given: Given,
  _facts: Facts,
  tools: Caller,
): Promise<readonly Choice[]> {
  return (await partsOf(given, tools)).filter(name => name.includes(typed.trim())).map(textChoice);
}

export async function approve(given: Given, { clusterId }: Facts, tools: Tools): Promise<void> {
  const { value: id } = answer(given, 'request');
  const wanted = given.part?.value.split(',').map(name => name.trim());
  const before = wanted && (await get(tools, clusterId, id));
  const part =
    before === undefined || wanted === undefined
      ? {}
      : before.resources.length > 0
        ? {
            resourceIds: before.resources
              .filter(({ details }) => wanted.includes(details.friendlyName))
              .map(one => one.id),
          }
        : { roles: wanted };
  const after = await tools.call(reviewAccessRequest, {
    params: { clusterId, id },
    body: { state: 'APPROVED', ...part },
  });
  tools.notify(
    after.state === 'APPROVED'
      ? `${after.user} has ${requestWords(after)} until ${dateTime(after.expires)}`
      : `Approved: ${requestWords(after)} for ${after.user} waits for others too`,
  );
  tools.list.reload?.();
}

export async function deny(given: Given, { clusterId }: Facts, tools: Tools): Promise<void> {
  const { value: id } = answer(given, 'request');
  const after = await tools.call(reviewAccessRequest, {
    params: { clusterId, id },
    body: { state: 'DENIED', reason: given.reason?.value ?? '' },
  });
  tools.notify(`Denied: ${requestWords(after)} for ${after.user}`);
  tools.list.reload?.();
}

export async function use(given: Given, { clusterId }: Facts, tools: Tools): Promise<void> {
  const { value: id } = answer(given, 'request');
  await tools.call(renewSession, { body: { requestId: id } });
  await tools.reloadUser?.();
  const one = await get(tools, clusterId, id);
  tools.notify(`You use ${requestWords(one)} until ${dateTime(one.expires)}`);
  tools.list.reload?.();
}

export async function drop(_given: Given, _facts: Facts, tools: Tools): Promise<void> {
  await tools.call(renewSession, { body: { switchback: true } });
  await tools.reloadUser?.();
  tools.notify('You use no access request any more');
  tools.list.reload?.();
}

export async function withdraw(given: Given, { clusterId, surface }: Facts, tools: Tools): Promise<void> {
  const { value: id, title } = answer(given, 'request');
  const question = {
    title: `Withdraw ${title}?`,
    text: 'What it gave ends at once, in open sessions too.',
    action: 'Yes, withdraw',
  };
  if (surface === 'console') await confirmed(tools, question);
  await tools.call(deleteAccessRequest, { params: { clusterId, id } });
  await tools.reloadUser?.();
  tools.notify(`Withdrawn: ${title}`);
  tools.list.reload?.();
}
