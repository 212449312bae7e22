import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { discoverEvents, discovery } from '../../../contract/capture.ts';
import { enrollments } from '../../../features/enrollment.ts';
import { discoverResource, type StepStatus, toldOf } from './told.ts';

const server = { id: 'one', resource: 'DISCOVER_RESOURCE_SERVER' };
const rds = { id: 'two', resource: 'DISCOVER_RESOURCE_DATABASE_POSTGRES_RDS' };

// Rule 3.4: a step ends as success, skipped, error or aborted
test.each(['success', 'skipped', 'error', 'aborted'] as const)('a step that ends as %s is told as that', status =>
  expect(toldOf(server, 'test', status)).toEqual({
    event: discoverEvents.testConnection,
    eventData: { ...server, stepStatus: `DISCOVER_STATUS_${status.toUpperCase()}` },
  }),
);

// Rule 3.4: what leads to a resource is deployed automatically or by hand, by an install script or into Amazon ECS
test('a line that is pasted is an install script by hand, a task is one in Amazon ECS by itself, an address is nothing of both', () => {
  const deployed = [
    toldOf(server, 'join', 'success'),
    toldOf(rds, 'way', 'success', 'tunnel'),
    toldOf(rds, 'way', 'success', 'task'),
    toldOf(rds, 'way', 'success', 'address'),
  ].map(told => [told?.event, ...Object.values(told?.eventData.serviceDeploy ?? {})]);
  const { deployService } = discoverEvents;
  expect(deployed).toEqual([
    [deployService, 'DEPLOY_METHOD_MANUAL', 'DEPLOY_TYPE_INSTALL_SCRIPT'],
    [deployService, 'DEPLOY_METHOD_MANUAL', 'DEPLOY_TYPE_INSTALL_SCRIPT'],
    [deployService, 'DEPLOY_METHOD_AUTO', 'DEPLOY_TYPE_AMAZON_ECS'],
    [deployService, 'DEPLOY_METHOD_UNSPECIFIED', 'DEPLOY_TYPE_UNSPECIFIED'],
  ]);
});

test('a database that is added has an event, and what else is added has none', () => {
  const event = (resource: string) => toldOf({ id: 'x', resource }, 'register', 'success')?.event;
  expect(event('DISCOVER_RESOURCE_DATABASE_REDIS_SELF_HOSTED')).toBe(discoverEvents.registerDatabase);
  expect(event('DISCOVER_RESOURCE_KUBERNETES')).toBeUndefined();
});

test('every tile that leads through steps has a name of its kind that the gateway counts', () => {
  const guided = Object.values(enrollments).filter(({ by }) => 'guide' in by);
  for (const { by, title } of guided) {
    const told = toldOf({ id: 'x', resource: discoverResource(by) }, 'begin', 'success' satisfies StepStatus);
    expect(told?.event, title).toBe(discoverEvents.started);
    expect(z.safeParse(discovery, told?.eventData).success, title).toBe(true);
    expect(told?.eventData.resource, title).not.toContain('UNSPECIFIED');
  }
});
