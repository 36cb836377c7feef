import { mkdir, readdir } from 'node:fs/promises';
import { Refusal } from './refusal.js';

/** Makes a directory, unless it is there and empty. @throws Refusal for one that is not empty, and where none can be */
export async function emptyDirectory(path: string, name: string): Promise<void> {
  const entries = await made(path, name);
  if (entries.length > 0) throw new Refusal(`The directory ${name} is not empty: ${entries.join(', ')}`, 1);
}

async function made(path: string, name: string): Promise<string[]> {
  try {
    await mkdir(path, { recursive: true });
    return await readdir(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal(`The directory ${name} cannot be used: ${reason}`, 1, { cause });
  }
}
