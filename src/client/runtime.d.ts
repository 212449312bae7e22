// What every JavaScript runtime has beside the language (WinterTC Minimum Common API), as far as it is used here: this room is compiled
// with the types of neither browsers nor Node. The project's own tsconfig leaves this file out, because it has both.

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  decode(bytes: Uint8Array): string;
}

/** Base64 of a string whose characters are bytes. */
declare function btoa(bytes: string): string;

/** The bytes of base64, as characters. Throws for anything else. */
declare function atob(text: string): string;
