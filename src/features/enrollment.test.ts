import { expect, test } from 'vitest';
import { enrollments, foundEnrollments, isEnrollment, notEnrolled } from './enrollment.ts';
import { manualLinks } from './manual.ts';
import { deployment, person, type Right } from './person.testing.ts';

const refusal = (...rights: Right[]) => notEnrolled('debian', { who: person(rights), config: deployment() });

test('servers are enrolled by whoever may create tokens and list servers; a refusal names both', () => {
  expect(refusal('tokens.create', 'nodes.list')).toBeUndefined();
  const words = 'Your roles lack create on token and list on node';
  expect([refusal('tokens.create'), refusal('nodes.list'), refusal()]).toEqual([words, words, words]);
  expect(notEnrolled('debian', { who: null, config: deployment() })).toBe(words);
});

test('databases and clusters are gone through step by step by whoever may read and list them', () => {
  const who = person(['tokens.create', 'dbServers.read', 'dbServers.list']);
  expect([
    notEnrolled('postgres', { who, config: deployment() }),
    notEnrolled('kubernetes', { who, config: deployment() }),
  ]).toEqual([undefined, 'Your roles lack create on token, read and list on kube_server']);
});

test('what is found in an AWS account is for whoever may also list and use integrations', () => {
  const database = ['tokens.create', 'dbServers.read', 'dbServers.list'] as const;
  const refused = (...rights: Right[]) => notEnrolled('rdsMysql', { who: person(rights), config: deployment() });
  expect([refused(...database), refused(...database, 'integrations.list', 'integrations.use')]).toEqual([
    'Your roles lack list and use on integration',
    undefined,
  ]);
  expect(notEnrolled('ec2', { who: person(['integrations.list', 'integrations.use']), config: deployment() })).toBe(
    'Your roles lack create on token and list on node',
  );
});

test('a search takes all words from title, detail and further words', () => {
  expect(foundEnrollments('red hat')).toEqual(['rhel']);
  expect(foundEnrollments('SQL maria self')).toEqual(['mysql']);
  expect(foundEnrollments('aws aurora')).toEqual(['auroraPostgres', 'auroraMysql']);
  expect(foundEnrollments('red sql')).toEqual([]);
});

test('what is gone through step by step comes first, then titles by the alphabet; a preferred kind before all', () => {
  const all = foundEnrollments('');
  expect(all).toHaveLength(Object.keys(enrollments).length);
  const guided = all.map(id => 'guide' in enrollments[id].by);
  expect(guided.indexOf(false)).toBe(guided.lastIndexOf(true) + 1);
  const others = all.slice(guided.indexOf(false)).map(id => enrollments[id].title);
  expect(others).toEqual([...others].sort((one, other) => one.localeCompare(other)));
  expect(enrollments[foundEnrollments('', 'desktop')[0] ?? 'debian'].kind).toBe('desktop');
});

test('an address names a tile or none', () =>
  expect([isEnrollment('debian'), isEnrollment('toString')]).toEqual([true, false]));

test('what a tile leads to in the manual is there', () => {
  for (const { by } of Object.values(enrollments)) if ('manual' in by) expect(manualLinks[by.manual]).toBeDefined();
});
