import { useMemo } from 'react';
import type { $ZodType } from 'zod/v4/core';
import { listNodes } from '../../contract/nodes.ts';
import { listRoles } from '../../contract/roles.ts';
import type { CodeFieldProps } from '../ui/CodeField.tsx';
import { usePage } from './page.tsx';

/** Servers whose labels are offered. */
const SERVERS_MOST = 200;

/**
 * Completes and checks YAML of the kind whose schema `load` fetches; that, and the names of what there is, are fetched at most once. `load` stays
 * the same.
 */
export function useYamlOf(load: () => Promise<$ZodType>): Required<Pick<CodeFieldProps, 'complete' | 'check'>> {
  const { api, clusterId } = usePage();
  return useMemo(() => {
    const once = <Value>(ask: () => Promise<Value>) => {
      let asked: Promise<Value> | undefined;
      return () => (asked ??= ask());
    };
    /** Whoever may not read them writes without. */
    const names = (ask: () => Promise<readonly string[]>) => once(() => ask().catch(() => []));
    const known = {
      role: names(async () => (await api(listRoles)).map(({ name }) => name)),
      label: names(async () => {
        const { items } = await api(listNodes, { params: { clusterId }, query: { limit: SERVERS_MOST } });
        return [...new Set(items.flatMap(({ tags }) => tags.map(({ name }) => name)))].sort();
      }),
    };
    const ready = once(() => Promise.all([load(), import('./yaml-completion.ts')]));
    const checks = once(() => Promise.all([load(), import('./yaml-problems.ts')]));
    return {
      async complete(text, caret) {
        const [schema, { completeYaml }] = await ready();
        return completeYaml(schema, known, text, caret);
      },
      async check(text) {
        const [schema, { yamlProblems }] = await checks();
        return yamlProblems(schema, text);
      },
    };
  }, [api, clusterId, load]);
}
