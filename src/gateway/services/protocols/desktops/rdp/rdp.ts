// The door of RDP.
export { credentialsOf } from './client-info.ts';
export { connectRdp, shownCertificate } from './connect.ts';
export { relayRdp } from './relay.ts';
