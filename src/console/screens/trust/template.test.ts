import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { resourceDocuments } from '../../../contract/resource-documents.ts';
import { template } from './template.ts';

test('the template of a trusted cluster lacks nothing but its token', () => {
  const { error } = z.safeParse(resourceDocuments.trusted_cluster, parse(template));
  expect((error?.issues ?? []).map(({ path }) => path.join('.'))).toEqual(['spec.token']);
});
