import { applications } from '../applications/list.mjs';
import { cases, withoutDatabase } from '../load/cases.mjs';

/** What this library wants to reach: how much of LIMIT, by case. */
const ratios = {
  'ours-express': {
    ...{ get: 0.75, unique: 0.8, create: 0.75, update: 0.75, delete: 0.75 },
    ...{ invalid: 0.4, list1k: 0.8, search: 0.75 },
  },
  'ours-fastify': {
    ...{ get: 0.85, unique: 0.85, create: 0.85, update: 0.85, delete: 0.85 },
    ...{ invalid: 0.65, list1k: 0.85, search: 0.8 },
  },
};

/** Beside what one would use instead, on the same platform or at all; the CPU of theirs by the CPU of ours. */
const byHand = { 'ours-express': 'nest-by-hand-express', 'ours-fastify': 'nest-by-hand-fastify' };
const timesByHand = 4;
const frameworks = ['dataui-crud', 'nestjs-paginate', 'feathers'];
const timesFrameworks = 2;
const memory = 230;

const missed = (name, caseName, found, wanted, what) =>
  `${applications[name].title}, ${cases[caseName].title}: ${found.toFixed(2)} ${what}, ${wanted} is wanted`;

function missedOfCase(measured, name, caseName) {
  const cpuOf = (other) => measured[other]?.cases[caseName]?.cpu;
  const { ratio, cpu } = measured[name].cases[caseName];
  const wanted = ratios[name][caseName];
  const sentences = [];
  if (ratio < wanted) sentences.push(missed(name, caseName, ratio, wanted, 'of LIMIT'));
  if (withoutDatabase.has(caseName)) return sentences;
  const hand = cpuOf(byHand[name]) / cpu;
  if (hand < timesByHand)
    sentences.push(missed(name, caseName, hand, timesByHand, 'times as good as by hand'));
  const best = Math.min(...frameworks.map(cpuOf).filter((one) => one !== undefined)) / cpu;
  if (best < timesFrameworks)
    sentences.push(missed(name, caseName, best, timesFrameworks, 'times as good as the best framework'));
  return sentences;
}

/** A sentence for every target that these results miss, as far as they say anything about it. */
export const missedTargets = ({ applications: measured }) =>
  Object.keys(ratios)
    .filter((name) => name in measured)
    .flatMap((name) => [
      ...Object.keys(measured[name].cases).flatMap((caseName) => missedOfCase(measured, name, caseName)),
      ...(measured[name].memory < memory
        ? []
        : [`${applications[name].title}: ${measured[name].memory} MB, fewer than ${memory} are wanted`]),
    ]);
