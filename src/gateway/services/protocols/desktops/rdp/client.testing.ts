// What an RDP client begins with, as IronRDP writes it.
import { der, derInteger, derOctets, derText, member, TAG } from './der.ts';

const connectionRequest = Buffer.from([3, 0, 0, 19, 14, 0xe0, 0, 0, 0, 0, 0, 1, 0, 8, 0, 1, 0, 0, 0]);

export const cleanPathRequest = (destination: string, token: string): Buffer =>
  der(
    TAG.sequence,
    der(member(0), derInteger(3390)),
    der(member(2), derText(destination)),
    der(member(3), derText(token)),
    der(member(6), derOctets(connectionRequest)),
  );
