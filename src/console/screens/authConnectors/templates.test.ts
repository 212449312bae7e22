import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { connectorKinds } from '../../../contract/connectors.ts';
import { resourceDocuments } from '../../../contract/resource-documents.ts';
import { templates } from './templates.ts';

test.each(connectorKinds)('the template of %s lacks nothing but its secrets', kind => {
  const { error } = z.safeParse(resourceDocuments[kind], parse(templates[kind]('https://console.example.com')));
  const lacking = (error?.issues ?? []).map(({ path }) => path.join('.'));
  expect(lacking.filter(path => !/client_(id|secret)$/.test(path))).toEqual([]);
});
