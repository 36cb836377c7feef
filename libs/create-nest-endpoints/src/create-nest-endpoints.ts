#!/usr/bin/env node
import { answersFrom } from './answers.js';
import { createApplication } from './create.application.js';
import { readWords, usage } from './words.js';
import { Refusal } from './refusal.js';

try {
  const words = readWords(process.argv.slice(2));
  if (words.isHelp) process.stdout.write(usage);
  else await createApplication(await answersFrom(words, process));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
