// Resources that people add, change and remove one by one; what they say is held to the same rules as YAML.
import { Failure } from '../../contract/failure.ts';
import type { Label } from '../../contract/shapes.ts';
import type { LabelledKind } from '../ports/rights.ts';
import type { Who } from '../ports/who.ts';
import type { Resource, Resources } from '../store/store.ts';

export interface OneByOneParts {
  readonly resources: Pick<Resources, 'get'>;
  /** Resources as YAML. */
  readonly declared: {
    apply(
      files: readonly { readonly name: string; readonly content: string }[],
      options: { readonly by: string },
    ): Promise<{ readonly problems: readonly string[] }>;
    remove(kind: string, name: string, by: string): Promise<void>;
  };
}
export interface OneByOne {
  /** Throws Failure not_found, also for what no role of theirs selects. */
  get(name: string, by: Who): Promise<Resource>;
  /** The labels that people give; others are the gateway's own. */
  labelsOf(labels: Readonly<Record<string, string>>): Label[];
  /** Throws Failure exists, bad_request. */
  add(name: string, labels: readonly Label[], spec: object, by: Who): Promise<void>;
  /**
   * `spec`: what it becomes of what it was. Labels that are undefined stay. Throws Failure not_found, also for what no role of theirs selects,
   * and bad_request.
   */
  change(name: string, labels: readonly Label[] | undefined, spec: (before: object) => object, by: Who): Promise<void>;
  /** Throws Failure not_found, bad_request for what a static configuration holds. */
  remove(name: string, by: Who): Promise<void>;
}

/** `word`: what people call one. */
export function createOneByOne({ resources, declared }: OneByOneParts, kind: LabelledKind, word: string): OneByOne {
  async function apply(name: string, labels: Readonly<Record<string, string>>, spec: object, by: Who): Promise<void> {
    const content = JSON.stringify({ kind, version: 'v3', metadata: { name, labels }, spec });
    const { problems } = await declared.apply([{ name, content }], { by: by.user });
    if (problems.length > 0) throw new Failure('bad_request', problems.join('; '));
  }
  async function selected(name: string, by: Who): Promise<Resource> {
    const found = await resources.get(kind, name);
    if (!found || !by.rights.selects(kind, found.labels)) throw new Failure('not_found', `"${name}" was not found`);
    return found;
  }
  const given = (labels: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(labels).filter(([label]) => !label.startsWith('postern.internal/'));
  return {
    get: selected,
    labelsOf: labels => given(labels).map(([name, value]) => ({ name, value })),
    async add(name, labels, spec, by) {
      if (await resources.get(kind, name)) throw new Failure('exists', `there is ${word} "${name}" already`);
      await apply(name, asMap(labels), spec, by);
    },
    async change(name, labels, spec, by) {
      const found = await selected(name, by);
      await apply(
        name,
        labels ? asMap(labels) : Object.fromEntries(given(found.labels)),
        spec(found.spec as object),
        by,
      );
    },
    async remove(name, by) {
      await selected(name, by);
      await declared.remove(kind, name, by.user);
    },
  };
}

const asMap = (labels: readonly Label[]): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map(({ name, value }) => [name, value]));
