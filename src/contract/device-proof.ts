// What a device signs. Few consoles ever do: whoever asks for a device has device-trust.ts.

/** What a challenge is for: an answer to the other kind counts for nothing. */
export const devicePurposes = ['enroll', 'authenticate'] as const;
export type DevicePurpose = (typeof devicePurposes)[number];

/** What a device signs (ECDSA over P-256 with SHA-256, the signature as r and s of 32 bytes each): nothing else that is ever signed reads like it. */
export const deviceProofText = (proof: {
  readonly purpose: DevicePurpose;
  readonly cluster: string;
  readonly challenge: string;
}): string => `postern device proof 1\n${proof.purpose}\n${proof.cluster}\n${proof.challenge}\n`;
