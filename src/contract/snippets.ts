// Snippets: texts that people put into terminals, their own and those that are shared with roles.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { ok } from './shapes.ts';
import { visible, visibleLines } from './visible-text.ts';

/** Snippets of one person's own, at most. */
export const OWN_SNIPPETS_MOST = 200;

export const snippetName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, '1 to 64 letters, digits and . _ -'));
/** What is put in: nothing that a terminal obeys but line ends and tabs. */
export const snippetText = z
  .string()
  .check(z.minLength(1, 'not empty'), z.maxLength(4096, 'at most 4096 characters'), visibleLines);
export const snippetDescription = z.string().check(z.maxLength(255, 'at most 255 characters'), visible);
/** Who else has it: holders of any of these roles, `*` for everybody. */
export const snippetRoles = z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100));

const written = {
  name: snippetName,
  text: snippetText,
  description: z._default(snippetDescription, ''),
  /** Enter is pressed behind it. */
  enters: z._default(z.boolean(), false),
  /** Empty: it is the person's own. */
  roles: z._default(snippetRoles, []),
};
export const snippet = z.object({
  ...written,
  isOwn: z.boolean(),
  /** This person may change and delete it. */
  mayChange: z.boolean(),
});
export type Snippet = z.infer<typeof snippet>;

export const listSnippets = call('GET', 'snippets', {
  summary:
    "One's own snippets, and those that are shared with one's roles; whoever may change shared ones sees them all.",
  access: 'signedIn',
  reply: z.object({ snippets: z.array(snippet) }),
});
export const putSnippet = call('PUT', 'snippets', {
  summary:
    "Save a snippet under its name: one's own, or with roles a shared one, which takes the rights to create and update the resource snippet.",
  access: 'signedIn',
  body: z.object(written),
  reply: ok,
});
export const deleteSnippet = call('DELETE', 'snippets/:owner/:name', {
  summary: 'Delete a snippet: `own` or `shared`.',
  access: 'signedIn',
  params: z.object({ owner: z.enum(['own', 'shared']), name: snippetName }),
  reply: ok,
});
