/** The names of events. */
type EventName = 'snapshot' | 'changed' | 'left' | 'reset' | 'ping';

/** Writes an event. @param data JSON text; its line ends are spaces to JSON, and end a line of the stream */
export function eventText(name: EventName, data: string): string {
  return `event: ${name}\ndata: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}

/** Says where a client goes on; it hears no event of it. An empty one has it begin anew. */
export function placeText(place: string): string {
  return `id: ${place}\n\n`;
}

/** Says how long a client waits before it comes again, in milliseconds. */
export function retryText(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
