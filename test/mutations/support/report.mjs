/** The share of mutants that tests must notice. */
const least = 0.9;

const isNoticed = ({ outcome }) => outcome === 'killed' || outcome === 'late';

/** Prints what was found, by area and file, and what survived. @returns the exit code */
export function reported(mutants) {
  const tried = mutants.filter(({ outcome }) => outcome !== undefined);
  for (const [area, of] of Map.groupBy(tried, (mutant) => mutant.area)) {
    console.log(`\n${line(area, of)}`);
    for (const [file, its] of Map.groupBy(of, (mutant) => mutant.file)) console.log(`  ${line(file, its)}`);
  }
  const left = tried.filter((mutant) => !isNoticed(mutant));
  if (left.length > 0) console.log('\nWhat no test has noticed:');
  for (const { id, name, file, line: at, within, kind, original, text, outcome } of left) {
    console.log(`\n  ${id} ${file}:${at} ${name ?? `${kind} in ${within || 'the file'}`} (${outcome})`);
    for (const [sign, words] of [
      ['-', original],
      ['+', text],
    ])
      console.log(
        words
          .split('\n')
          .map((one) => `    ${sign} ${one}`)
          .join('\n'),
      );
  }
  const share = tried.length === 0 ? 0 : (tried.length - left.length) / tried.length;
  const untried = mutants.length - tried.length;
  console.log(`\n${line('all', tried)}${untried > 0 ? `; ${untried} not tried yet` : ''}`);
  const survivingDefects = left.filter(({ kind }) => kind === 'defect').length;
  return share >= least && survivingDefects === 0 ? 0 : 1;
}

function line(name, mutants) {
  const noticed = mutants.filter(isNoticed).length;
  const late = mutants.filter(({ outcome }) => outcome === 'late').length;
  const percent = mutants.length === 0 ? 0 : Math.floor((100 * noticed) / mutants.length);
  return `${name}: ${noticed} of ${mutants.length} noticed (${percent} %)${late > 0 ? `, ${late} by a time limit` : ''}`;
}
