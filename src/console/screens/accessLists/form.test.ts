import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { accessListDocument } from '../../../contract/access-list-documents.ts';
import { documentOf, faultsOf, formOf, type ListDocument, nameOf } from './form.ts';

const document = parse(`kind: access_list
version: v1
metadata: {name: on-call, labels: {team: db}, expires: '2099-01-01T00:00:00Z'}
spec:
  title: On call
  owners: [{name: ann, description: Lead}, {name: leads, membership_kind: list}]
  audit: {next_audit_date: '2027-01-15T00:00:00Z', recurrence: {frequency: 3 months, day_of_month: 15}, notifications: {start: 168h}}
  membership_requires: {roles: [access]}
  grants: {roles: [dba], traits: {logins: [root, 'a: b']}}
`) as ListDocument;

test('what a document holds stays in it where nothing was changed, also what the form has no field for', () => {
  const after = documentOf(formOf(document), document);
  expect(accessListDocument.safeParse(after).success).toBe(true);
  expect(after.metadata).toEqual(document.metadata);
  expect(after.spec).toEqual({
    ...document.spec,
    audit: { ...document.spec.audit, recurrence: { frequency: '3 months', day_of_month: '15' } },
    ownership_requires: {},
  });
});

test('another rhythm has another next day', () => {
  const after = documentOf({ ...formOf(document), frequency: '1 year' }, document);
  expect(after.spec.audit).not.toHaveProperty('next_audit_date');
});

test('names are made of titles', () => {
  expect(nameOf('Database on call (Zürich)!')).toBe('database-on-call-zurich');
});

test('every field that is wrong says so', () => {
  const form = formOf(document);
  expect(faultsOf(form)).toEqual({});
  const wrong = { ...form, title: ' ', owners: [], noticeDays: 'soon', grants: { roles: [], traits: ['root'] } };
  expect(Object.keys(faultsOf(wrong)).sort()).toEqual(['grants', 'noticeDays', 'owners', 'title']);
});
