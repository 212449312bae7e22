// Snippets: who has which, and who may change them. Kept as resources, so that shared ones can be written as YAML too.
import * as z from 'zod/mini';
import { Failure } from '../../../contract/failure.ts';
import { OWN_SNIPPETS_MOST, type Snippet } from '../../../contract/snippets.ts';
import type { AuditLog } from '../../ports/audit.ts';
import type { Who } from '../../ports/who.ts';
import type { NewResource, Resource, Resources } from '../../store/store.ts';
import { allOf } from '../lists.ts';

/** Everybody. */
const ANY = '*';
/** As they are stored. `owner`: id of the user whose own it is; '' = it is shared. */
const spec = z.object({
  text: z.string(),
  enters: z._default(z.boolean(), false),
  roles: z._default(z.array(z.string()), []),
  owner: z._default(z.string(), ''),
});
/** Codes of the audit log. */
const snippetCodes = { created: 'TSN00I', updated: 'TSN01I', removed: 'TSN02I' } as const;

export interface Snippets {
  list(who: Who): Promise<readonly Snippet[]>;
  /** Throws Failure denied for a shared one that this person may not write, bad_request for one too many. */
  put(who: Who, snippet: Omit<Snippet, 'isOwn' | 'mayChange'>): Promise<void>;
  /** Throws Failure not_found, denied. */
  remove(who: Who, owner: 'own' | 'shared', name: string): Promise<void>;
}

/** Names of own ones hold their owner's id, which no name of a shared one can. */
const nameOf = (owner: string, name: string): string => (owner === '' ? name : `${owner}~${name}`);

/** The columns of a snippet. */
const snippetResource = (
  name: string,
  { description, ...given }: { readonly description: string } & z.infer<typeof spec>,
): NewResource => ({
  kind: 'snippet',
  name: nameOf(given.owner, name),
  title: name,
  description,
  address: '',
  subtype: given.owner === '' ? 'shared' : 'own',
  labels: {},
  words: [],
  spec: given,
  expires: null,
});

export function createSnippets(resources: Resources, audit: AuditLog): Snippets {
  async function all(): Promise<readonly (Resource & { readonly read: z.infer<typeof spec> })[]> {
    return (await allOf(resources, 'snippet')).flatMap(one => {
      const read = z.safeParse(spec, one.spec);
      return read.success ? [{ ...one, read: read.data }] : [];
    });
  }
  const note = (who: Who, code: string, name: string, roles: readonly string[]): Promise<void> =>
    audit.emit({ code, user: who.user, user_id: who.userId, name, ...(roles.length > 0 && { roles }) });
  const refuse = (verb: string): Failure =>
    new Failure('denied', `access denied: shared snippets take the right to ${verb} the resource snippet`);

  return {
    async list(who) {
      const sharedWith = new Set([ANY, ...who.roles]);
      const maySee = who.rights.may('snippet', 'update');
      return (await all())
        .filter(({ read: { owner, roles } }) =>
          owner === '' ? maySee || roles.some(role => sharedWith.has(role)) : owner === who.userId,
        )
        .map(({ title, description, read: { text, enters, roles, owner } }) => ({
          name: title,
          description,
          text,
          enters,
          roles,
          isOwn: owner !== '',
          mayChange: owner !== '' || maySee,
        }))
        .sort((one, other) => Number(other.isOwn) - Number(one.isOwn) || (one.name < other.name ? -1 : 1));
    },
    async put(who, { name, text, description, enters, roles }) {
      const owner = roles.length === 0 ? who.userId : '';
      const before = await resources.get('snippet', nameOf(owner, name));
      if (owner === '' && !who.rights.may('snippet', before ? 'update' : 'create'))
        throw refuse(before ? 'update' : 'create');
      if (owner !== '' && !before) {
        const own = (await all()).filter(one => one.read.owner === owner).length;
        if (own >= OWN_SNIPPETS_MOST)
          throw new Failure('bad_request', `no more than ${OWN_SNIPPETS_MOST} own snippets`);
      }
      await resources.put(snippetResource(name, { text, description, enters, roles: [...roles], owner }));
      await note(who, before ? snippetCodes.updated : snippetCodes.created, name, roles);
    },
    async remove(who, kind, name) {
      if (kind === 'shared' && !who.rights.may('snippet', 'delete')) throw refuse('delete');
      if (!(await resources.delete('snippet', nameOf(kind === 'own' ? who.userId : '', name))))
        throw new Failure('not_found', 'snippet not found');
      await note(who, snippetCodes.removed, name, []);
    },
  };
}
