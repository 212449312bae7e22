// What whoever helps with a gateway asks for.
import { type Command, command } from './command.ts';
import { inConsole, needs } from './gates.ts';

export const support: readonly Command[] = [
  command({
    id: 'support.bundle',
    title: 'Collect diagnostics for support',
    group: 'manage',
    words: ['bundle', 'debug', 'log', 'errors', 'health', 'settings', 'troubleshoot'],
    when: inConsole,
    blocked: needs('users', 'edit', 'diagnostics'),
    run: (_given, _facts, tools) => tools.go('support', {}, { bundle: 'yes' }),
  }),
  command({
    id: 'support.clicks',
    title: 'Show what is counted of clicks',
    group: 'manage',
    words: ['telemetry', 'capture', 'privacy', 'usage', 'sent'],
    when: inConsole,
    blocked: needs('users', 'edit', 'what is counted'),
    run: (_given, _facts, tools) => tools.go('support', {}, { clicks: 'yes' }),
  }),
];
