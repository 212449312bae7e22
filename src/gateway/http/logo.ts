// The deployment's own logo, as an image and nothing else.
import type { FastifyInstance } from 'fastify';
import type { Logo } from '../services/configuration/logo.ts';

/**
 * An SVG may hold scripts and links: shown by the sidebar as an image it runs none, and opened by its own address it may
 * neither run nor load anything, and counts as another origin.
 */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

/** Registers the logo's path where there is a logo. */
export function serveLogo(app: FastifyInstance, logo: Logo | null | undefined): void {
  if (!logo) return;
  app.get(logo.path, async (_request, reply) =>
    reply
      .headers({ 'content-security-policy': POLICY, 'cache-control': 'public, max-age=31536000, immutable' })
      .type(logo.type)
      .send(logo.bytes),
  );
}
