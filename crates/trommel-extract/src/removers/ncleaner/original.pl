# Prints original.inc: perl -I FOLDER original.pl > original.inc, where FOLDER has the author's Text/NCleaner/NGramC.pm.
# Tables are made here, as the author's training is described: shares of counts, single characters counting one more each.
use strict;
use warnings;
use Text::NCleaner::NGramC;

my $text = "the rain in spain falls mainly on the plain. then it is in the drain, in vain";
print "const ORIGINAL: &[(usize, f64, &str, f64)] = &[\n";
for my $n (1, 2, 3) {
  my @tables = (undef);
  for my $length (1 .. $n) {
    my (%counts, %histories);
    if ($length == 1) { $counts{chr $_} = 1 for 32 .. 126; $histories{""} = 95; }
    # Shorter sequences are the ends of those of n characters.
    for my $end ($n .. length $text) {
      my $ngram = substr $text, $end - $length, $length;
      $counts{$ngram}++;
      $histories{substr $ngram, 0, $length - 1}++;
    }
    push @tables, { map { $_ => $counts{$_} / $histories{substr $_, 0, $length - 1} } keys %counts };
  }
  for my $q (0.6, 0.1) {
    for my $string ("the plain rain", "Copyright 2007 | Home") {
      my $log = Text::NCleaner::NGramC::log_string_probability(\@tables, $string, $n, $q, 0);
      printf "    (%d, %.1f, \"%s\", %.12f),\n", $n, $q, $string, $log;
    }
  }
}
print "];\n";
