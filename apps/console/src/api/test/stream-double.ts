/** A test double of the browser's EventSource, controlled by the test. */
export class StreamDouble extends EventTarget {
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static opened: StreamDouble[] = [];
  readyState = 0;

  constructor() {
    super();
    StreamDouble.opened.push(this);
  }

  close(): void {
    this.readyState = StreamDouble.CLOSED;
  }

  ready(resumed = false): void {
    this.readyState = StreamDouble.OPEN;
    this.dispatchEvent(new MessageEvent('ready', { data: JSON.stringify({ resumed }) }));
  }

  tell(data: string): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }

  refuse(): void {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}
