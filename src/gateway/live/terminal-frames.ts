// Reads the frames that a terminal's client sends, and hands what they say to its participant.
import * as z from 'zod/mini';
import { BadFrame, decodeFrame, frameTypes } from '../../contract/envelope.ts';
import {
  closeCodes,
  controlMessage,
  fileDecisionMessage,
  fileRequestMessage,
  resizeMessage,
  seenMessage,
} from '../../contract/terminal.ts';
import type { Participant } from '../services/sessions/participant.ts';

/** What a reader may do with the socket. */
export interface Answers {
  /** Shows a text in the terminal. */
  error(text: string): void;
  close(code: number, why: string): void;
  /** Hears of a fault of our own, which must end this socket and nothing else. */
  failed(error: unknown): void;
}

/** A listener for the socket's messages. Frames that are no envelope close the socket; sizes that no terminal has are refused. */
export function createReader(
  participant: Pick<Participant, 'input' | 'resize' | 'seen' | 'control' | 'requestFile' | 'decideFile'>,
  answers: Answers,
): (message: unknown, isBinary: boolean) => void {
  const refuse = (why: string | null): void => void (why && answers.error(why));
  return (message, isBinary) => {
    if (!isBinary) return answers.close(closeCodes.badFrame, 'text frames are not used here: send binary envelopes');
    // One Buffer per message: ws is left at its default binaryType.
    if (!Buffer.isBuffer(message)) return answers.close(closeCodes.badFrame, 'a frame must be one binary message');
    try {
      const { type, payload } = decodeFrame(message);
      switch (type) {
        case frameTypes.raw:
          return participant.input(payload);
        case frameTypes.resize: {
          const size = read(resizeMessage, payload);
          if (size === null)
            return answers.error(
              'the terminal size was refused: width and height must be whole numbers from 1 to 4095',
            );
          return participant.resize({ cols: size.width, rows: size.height });
        }
        case frameTypes.latency: {
          const progress = read(seenMessage, payload);
          if (progress === null) return answers.error('the frame was refused: "seen" must be a whole number of bytes');
          return participant.seen(progress.seen);
        }
        case frameTypes.audit: {
          const asked = read(controlMessage, payload);
          return refuse(asked && participant.control(asked));
        }
        case frameTypes.fileRequest: {
          const asked = read(fileRequestMessage, payload);
          return asked ? participant.requestFile(asked) : answers.error('the file transfer request could not be read');
        }
        case frameTypes.fileDecision: {
          const asked = read(fileDecisionMessage, payload);
          return refuse(
            asked ? participant.decideFile(asked.requestId, asked.approved) : 'the decision could not be read',
          );
        }
        case frameTypes.webauthn:
        case frameTypes.session:
        case frameTypes.close:
        case frameTypes.error:
          // Only ever answers to what the gateway sent, or the gateway's own: nothing to do.
          return;
        default:
          unknownType(type);
      }
    } catch (error) {
      if (error instanceof BadFrame) return answers.close(closeCodes.badFrame, error.message);
      answers.failed(error);
      answers.close(closeCodes.failed, 'the gateway could not go on with this connection');
    }
  };
}

/** Every frame type has its branch above; the compiler says when one is missing. */
function unknownType(type: never): never {
  throw new BadFrame(`the envelope's type "${String(type)}" is not known`);
}

function read<Schema extends z.ZodMiniType>(schema: Schema, payload: Uint8Array): z.output<Schema> | null {
  try {
    const parsed = z.safeParse(schema, JSON.parse(new TextDecoder().decode(payload)));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
