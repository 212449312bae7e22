// What the page knows before anyone signs in: the boot configuration (specification, section 3).
import * as z from 'zod/mini';

/** What a sign-in may ask beside the password. */
export const secondFactors = ['off', 'on', 'optional', 'otp', 'webauthn'] as const;

/** The themes that a gateway may put in place of light and dark. */
export const customThemes = ['orange'] as const;

/** Body of `GET /web/config.js`: `var POSTERN_CONFIG = {…};`. Missing keys take these defaults. */
export const webConfig = z.object({
  auth: z._default(
    z.object({
      second_factor: z._default(z.enum(secondFactors), 'off'),
      providers: z._default(
        z.array(
          z.object({
            name: z.string(),
            displayName: z.string(),
            type: z.enum(['oidc', 'saml', 'github']),
            url: z.string(),
          }),
        ),
        [],
      ),
      localAuthEnabled: z._default(z.boolean(), true),
      allowPasswordless: z._default(z.boolean(), false),
      authType: z._default(z.enum(['local', 'oidc', 'saml', 'github']), 'local'),
      preferredLocalMfa: z.optional(z.string()),
      localConnectorName: z.optional(z.string()),
      privateKeyPolicy: z._default(z.enum(['none', 'hardware_key', 'hardware_key_touch']), 'none'),
      motd: z._default(z.string(), ''),
    }),
    {
      second_factor: 'off',
      providers: [],
      localAuthEnabled: true,
      allowPasswordless: false,
      authType: 'local',
      privateKeyPolicy: 'none',
      motd: '',
    },
  ),
  canJoinSessions: z._default(z.boolean(), true),
  proxyCluster: z._default(z.string(), 'localhost'),
  isEnterprise: z._default(z.boolean(), false),
  isCloud: z._default(z.boolean(), false),
  isDashboard: z._default(z.boolean(), false),
  isUsageBasedBilling: z._default(z.boolean(), false),
  recoveryCodesEnabled: z._default(z.boolean(), false),
  tunnelPublicAddress: z.optional(z.string()),
  ui: z._default(z.object({ scrollbackLines: z._default(z.number(), 1000) }), { scrollbackLines: 1000 }),
  automaticUpgrades: z._default(z.boolean(), false),
  automaticUpgradesTargetVersion: z.optional(z.string()),
  assistEnabled: z._default(z.boolean(), false),
  hideInaccessibleFeatures: z._default(z.boolean(), false),
  customTheme: z._default(z.string(), ''),
  /** Ours: where a call to action leads; absent: the console says whom to ask. */
  salesUrl: z.optional(z.string()),
  /** Ours: each person is asked once who they are and what they came for. */
  questionnaire: z._default(z.boolean(), false),
  /** Ours: path of the deployment's own logo, shown in the sidebar. */
  customLogo: z.optional(z.string()),
  /** Ours: the gateway's own rule for passwords, so that the console can say it before the gateway refuses. */
  passwordLeastCharacters: z._default(z.number(), 12),
  /** Ours: the help desk or issue tracker of whoever runs the gateway. */
  supportUrl: z.optional(z.string()),
});
export type WebConfig = z.infer<typeof webConfig>;
export const CONFIG_VARIABLE = 'POSTERN_CONFIG';
