import { openParkedEvents, type ParkedEvent, type ParkedEvents } from '@waymark/service-kit/events';
import { closing } from '../databases.ts';
import { CommandError } from '../failures/command-error.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Lists the parked events, oldest first. */
export async function listParkedEvents(terminal: Terminal): Promise<void> {
  await withParkedEvents(terminal, async (parked) => {
    let count = 0;
    for await (const each of parked.list()) {
      terminal.out(lineOf(each));
      count += 1;
    }
    if (count === 0) terminal.out('no event is parked');
  });
}

/** Delivers parked events to their consumers again. Throws CommandError for an unknown number. */
export async function replayParkedEvents(
  numbers: string[],
  options: { all?: boolean },
  terminal: Terminal,
): Promise<void> {
  if (Boolean(options.all) === numbers.length > 0)
    throw new CommandError('give the numbers of events, or --all');
  await withParkedEvents(terminal, async (parked) => {
    const chosen = options.all ? await numbersOf(parked) : numbers.map(toNumber);
    if (chosen.length === 0) terminal.out('no event is parked');
    for (const number of chosen) {
      if (await parked.replay(number)) terminal.out(`${number}: replayed`);
      // With --all, another operator may already have replayed the event.
      else if (!options.all) throw new CommandError(`no parked event ${number}`);
    }
  });
}

/** Deletes parked events. Throws CommandError for an unknown number. */
export async function discardParkedEvents(numbers: string[], terminal: Terminal): Promise<void> {
  await withParkedEvents(terminal, async (parked) => {
    for (const number of numbers.map(toNumber)) {
      if (!(await parked.discard(number))) throw new CommandError(`no parked event ${number}`);
      terminal.out(`${number}: discarded`);
    }
  });
}

/** Lets a consumer read all events of NATS again. Throws CommandError for an unknown consumer. */
export async function refillConsumer(consumer: string, terminal: Terminal): Promise<void> {
  await withParkedEvents(terminal, async (parked) => {
    if (!(await parked.refill(consumer))) throw new CommandError(`there is no consumer ${consumer}`);
    terminal.out(`${consumer} reads the event stream again; waymark_consumer_lag shows how much is left`);
  });
}

const withParkedEvents = ({ env }: Terminal, run: (parked: ParkedEvents) => Promise<void>): Promise<void> =>
  closing(openParkedEvents(env), run);

/** The events that are parked now, so that an event that is parked again is not replayed forever. */
async function numbersOf(parked: ParkedEvents): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of parked.list()) numbers.push(number);
  return numbers;
}

function toNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new CommandError(`${text} is not the number of a parked event`);
  return Number(text);
}

function lineOf({ number, consumer, parkedAt, event, error }: ParkedEvent): string {
  const what = event ? `${event.type} ${event.id} of workspace ${event.workspace_id ?? 'none'}` : 'malformed';
  return `${number}: ${consumer}, ${parkedAt.toISOString()}: ${what}: ${error}`;
}
