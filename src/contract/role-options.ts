// The options of a role: how its holders' sessions are. With several roles, the strictest mostly wins.
import * as z from 'zod/mini';
import { described } from './document-parts.ts';
import { parseDuration } from './duration.ts';
import { visible, visibleLines } from './visible-text.ts';

const short = z.string().check(z.maxLength(4096, 'at most 4096 characters'));
/** Of one line. */
export const text = short.check(visible);
/** Of several lines: descriptions, prompts, conditions. */
export const lines = short.check(visibleLines);
export const count = z
  .int()
  .check(z.minimum(0, 'a whole number from 0'), z.maximum(1_000_000, 'a whole number up to 1000000'));
export const duration = z
  .string()
  .check(z.refine(value => parseDuration(value) !== undefined, 'a duration such as 30h0m0s or 15m'));
const never = z.union([z.literal('never'), duration], 'a duration such as 15m, or never');
/** Roles written for other tools say yes and no too. */
const flag = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['yes', 'no', 'true', 'false']),
    z.transform((value: 'yes' | 'no' | 'true' | 'false') => value === 'yes' || value === 'true'),
  ),
]);
const strictness = z.enum(['best_effort', 'strict']);

/** Each may be left out. */
export const roleOptions = z.partial(
  z.strictObject({
    max_session_ttl: described('How long a sign-in lasts. The shortest of all roles wins.', duration),
    forward_agent: described('Whether the SSH agent may be forwarded. One role that says so is enough.', flag),
    port_forwarding: described('Whether ports may be forwarded. One role that says so is enough.', flag),
    ssh_file_copy: described('Whether files may be copied. Every role must say so.', flag),
    reach_loopback: described(
      "Whether databases may be on the gateway's own machine. One role that says so is enough.",
      flag,
    ),
    permit_x11_forwarding: described(
      "Whether programs of servers may show windows on one's own display (X11). One role that says so is enough.",
      flag,
    ),
    client_idle_timeout: described('Ends sessions in which nothing is typed for so long. The shortest wins.', never),
    disconnect_expired_cert: described('Ends live sessions when the sign-in that they began with ends.', flag),
    enhanced_recording: described(
      'What is recorded besides the screen. Where a server is prepared for it, its kernel tells which commands ran, which files they opened and where they connected.',
      z.array(z.enum(['command', 'disk', 'network'])).check(z.maxLength(3, 'at most 3')),
    ),
    max_connections: described('Connections at once; 0: no limit. The smallest wins.', count),
    max_kubernetes_connections: described('Connections to Kubernetes at once; 0: no limit.', count),
    max_sessions: described('Sessions at once; 0: no limit. The smallest wins.', count),
    require_session_mfa: described(
      'A second factor at the beginning of every session. The strictest wins.',
      z.union([flag, z.enum(['hardware_key', 'hardware_key_touch'])]),
    ),
    device_trust_mode: described('Whether only trusted devices get in.', z.enum(['', 'off', 'optional', 'required'])),
    lock: described(
      'When it cannot be known which locks are in force: strict refuses, best_effort goes by those known last. Strict wins.',
      z.enum(['', 'best_effort', 'strict']),
    ),
    record_session: described(
      'Where strict, nothing is shown that is not recorded. Strict wins.',
      z.partial(
        z.strictObject({
          desktop: described('Whether desktop sessions are recorded.', flag),
          default: described('For sessions of kinds that are not named.', strictness),
          ssh: described('For sessions on servers.', strictness),
        }),
      ),
    ),
    desktop_clipboard: described('Whether the clipboard is shared with desktops. Every role must say so.', flag),
    desktop_directory_sharing: described('Whether folders are shared with desktops. Every role must say so.', flag),
    request_access: described(
      'Whether access must be asked for at sign-in. The strictest wins.',
      z.enum(['', 'optional', 'always', 'reason']),
    ),
    request_prompt: described('What is said to whoever must give a reason.', lines),
    pin_source_ip: described(
      'A sign-in, and every certificate of it, counts only from the address that it began at. One role that says so is enough.',
      flag,
    ),
    cert_format: described(
      'Format of SSH certificates. Those of this gateway hold nothing that an old server would not know: both are the same.',
      z.enum(['standard', 'oldssh']),
    ),
    cert_extensions: described(
      'Further extensions of the certificates that sessions log in with, such as login@github.com. All of all roles.',
      z
        .array(z.strictObject({ type: z.literal('ssh'), mode: z.literal('extension'), name: text, value: text }))
        .check(z.maxLength(100, 'at most 100')),
    ),
    create_host_user: described(
      'Whether a missing user is made on servers that are prepared for it. One role must say so, and none that it is not.',
      flag,
    ),
    create_host_user_mode: described(
      'What becomes of users made on servers once nobody needs them. One that says keep is enough for that.',
      z.enum(['off', 'drop', 'keep']),
    ),
    create_db_user: described('Whether a missing user is made in the database.', flag),
    create_desktop_user: described(
      'Whether a missing user is made on the desktop: this gateway cannot, so nothing but false is taken.',
      flag,
    ),
    agents: described(
      'Whether agents may be delegated, which work with a part of their person’s rights: off, ask (each command and statement waits for the person), or allow. The strictest wins; off where no role says anything.',
      z.enum(['off', 'ask', 'allow']),
    ),
    idp: described(
      'Signing in to SAML applications with an account of here. Every role must say so.',
      z.partial(z.strictObject({ saml: z.partial(z.strictObject({ enabled: flag })) })),
    ),
  }),
);
export type RoleOptions = z.output<typeof roleOptions>;
