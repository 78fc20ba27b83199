/** A test double of the browser's EventSource, controlled by the test. */
export class StreamDouble extends EventTarget {
  static readonly CLOSED = 2;
  static opened: StreamDouble[] = [];
  readyState = 1;
  onmessage = (_: { data: string }) => {};
  onerror = () => {};

  constructor() {
    super();
    StreamDouble.opened.push(this);
  }

  close(): void {
    this.readyState = StreamDouble.CLOSED;
  }

  ready(resumed = false): void {
    this.dispatchEvent(new MessageEvent('ready', { data: JSON.stringify({ resumed }) }));
  }

  refuse(): void {
    this.close();
    this.onerror();
  }
}
