// Trusted devices, as whoever uses one and every rule about them needs them: how far they are asked for, and what is said where one is missing.

/** What is asked of the device that a sign-in comes from; the strictest last. */
export const deviceTrustModes = ['off', 'optional', 'required'] as const;
export type DeviceTrustMode = (typeof deviceTrustModes)[number];

/** What the cluster and everybody's roles say together: the strictest counts. */
export const strictestTrust = (said: readonly DeviceTrustMode[]): DeviceTrustMode =>
  deviceTrustModes.findLast(mode => said.includes(mode)) ?? 'off';

/** Said wherever a trusted device is asked for and the sign-in comes from none: what is missing, and how to get it. */
export const DEVICE_MISSING =
  'This asks for a trusted device, and you are not signed in from one. Enroll this browser on your account page, or the command line by "postern device enroll TOKEN"; the token is made by whoever administers devices. What is enrolled already proves itself when you sign in again.';
