import { Create } from '@nest-endpoints/core';
import { expectAnswer, inputErrors } from '../support/answers.js';
import { everyDatabase, service } from '../support/contract.js';
import { flavours } from '../support/entities/flavours.js';

const writeableColumnNames = [
  'title',
  'authorId',
  'pages',
  'price',
  'inPrint',
  'publishedOn',
  'launchAt',
  'remindAt',
  'contact',
];

const wrong = {
  title: 'x'.repeat(101),
  author_id: 99,
  pages: '1',
  price: '1.5',
  in_print: 1,
  published_on: '2026-02-30',
  launch_at: '2026-11-21T09:00:00',
  remind_at: '5',
  contact: 'nobody',
  created: '2026-11-21T09:00:00+00:00',
};

const complaints = inputErrors({
  title: 'value should be at most 100 characters long',
  author_id: 'the given record does not exist',
  pages: 'value should be an integer',
  price: 'value should be a number',
  in_print: 'value should be a boolean',
  published_on: 'given value did not appear to be a valid date',
  launch_at: 'date is missing timezone information',
  remind_at: 'value should be an integer',
  contact: 'value should be an email address',
  created: 'Input column created is not an allowed input column.',
});

for (const [name, { Country, Author, Book, ...rest }] of Object.entries(flavours)) {
  const create = new Create({
    url: 'books',
    modelClass: Book,
    readableColumnNames: ['title'],
    writeableColumnNames,
  });
  const { contract } = service(
    {
      entities: [Country, Author, Book],
      endpoints: [create],
      ...rest,
    },
    everyDatabase,
  );

  contract(`A model of ${name} has the columns of its metadata`, async ({ request }) => {
    expectAnswer(await request().post('/books').send(wrong), 400, complaints);
  });
}
