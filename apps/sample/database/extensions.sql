-- Searches of cities: names that are written nearly the same, and places within a circle.
create extension if not exists pg_trgm;
create extension if not exists cube;
create extension if not exists earthdistance;
