// The part of noVNC that is used, as its manual describes it; the package brings no types.
declare module '@novnc/novnc' {
  interface RfbEvents {
    connect: CustomEvent<undefined>;
    disconnect: CustomEvent<{ readonly clean: boolean }>;
    clipboard: CustomEvent<{ readonly text: string }>;
  }
  /** What stands in for a WebSocket. */
  export interface RawChannel {
    binaryType: string;
    readonly readyState: string;
    readonly protocol: string;
    onopen: (() => void) | null;
    onmessage: ((event: { readonly data: ArrayBuffer }) => void) | null;
    onclose: ((event: object) => void) | null;
    onerror: ((event: object) => void) | null;
    send(data: Uint8Array): void;
    close(): void;
  }
  export default class RFB {
    constructor(target: HTMLElement, urlOrChannel: string | RawChannel, options?: { readonly shared?: boolean });
    viewOnly: boolean;
    focusOnClick: boolean;
    scaleViewport: boolean;
    resizeSession: boolean;
    qualityLevel: number;
    compressionLevel: number;
    focus(options?: FocusOptions): void;
    sendKey(keysym: number, code: string, down: boolean): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    addEventListener<Name extends keyof RfbEvents>(name: Name, listener: (event: RfbEvents[Name]) => void): void;
  }
}
