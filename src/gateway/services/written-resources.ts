// One thing that a person writes as YAML: it is held to the same rules as YAML of the gateway's own machine, and shown as that shows it.
import { Failure } from '../../contract/failure.ts';
import type { ResourceFile } from '../../contract/resource-documents.ts';
import type { ResourceItem } from '../../contract/roles.ts';

/** Resources as YAML. */
export interface DeclaredResources {
  /** `check` sees what was read before anything is done. */
  apply(
    files: readonly ResourceFile[],
    options: {
      readonly by: string;
      readonly dryRun?: boolean;
      readonly check: (
        documents: readonly { readonly kind: string; readonly name: string; readonly value: unknown }[],
      ) => Promise<void>;
    },
  ): Promise<{ readonly problems: readonly string[] }>;
  /** Throws Failure not_found. */
  get(kind: string, name: string): Promise<string>;
  /** Throws Failure bad_request, not_found. */
  remove(kind: string, name: string, by: string): Promise<void>;
}

/** What is wrong with what was written; its first line stands beside the field. */
export const refusedContent = (text: string): Failure =>
  new Failure('bad_request', text, { content: text.split('\n', 1)[0] ?? '' });

interface Wanted {
  readonly kind: string;
  /** As people call one: `login rule`. */
  readonly noun: string;
  /** What is thrown for what is wrong in it; `refusedContent` where nothing else is said. */
  readonly refused?: (text: string) => Failure;
}

/**
 * Writes one thing of a kind after `check` has seen its name and its document; the name is answered. `dryRun`: nothing is written. Throws Failure
 * bad_request, and what `check` throws.
 */
export async function writeOne(
  declared: Pick<DeclaredResources, 'apply'>,
  { kind, noun, refused = refusedContent }: Wanted,
  content: string,
  by: string,
  check: (name: string, value: unknown) => Promise<void>,
  dryRun = false,
): Promise<string> {
  let written = '';
  const { problems } = await declared.apply([{ name: 'YAML', content }], {
    by,
    dryRun,
    check: async ([one, ...more]) => {
      if (!one || more.length > 0) throw refused(`one ${noun} expected`);
      if (one.kind !== kind) throw refused(`kind: "${one.kind}": ${kind} expected`);
      await check(one.name, one.value);
      written = one.name;
    },
  });
  if (problems.length > 0) throw refused(problems.join('\n'));
  return written;
}

/** One thing with its YAML. Throws Failure not_found. */
export const writtenItem = async (
  declared: Pick<DeclaredResources, 'get'>,
  kind: string,
  name: string,
): Promise<ResourceItem> => ({ id: `${kind}:${name}`, kind, name, content: await declared.get(kind, name) });
