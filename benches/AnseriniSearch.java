import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a query costs Anserini: CPU time of its SimpleSearcher (BM25, k1=0.9, b=0.4, its defaults), docids of all hits included,
 * measured inside a warm JVM, for comparison with benches/search.rs. SimpleSearcher is called by reflection so that this
 * compiles without Anserini's jar and with an older compiler.
 *
 * javac --release 17 -d OUT benches/AnseriniSearch.java
 * java -Xmx6g -XX:ActiveProcessorCount=1 -cp anserini.jar:OUT AnseriniSearch INDEX TITLES.tsv WARMUP ROUNDS
 *
 * A query's time is its median over the rounds; the table gives the mean, the median and the 95th percentile of that over the
 * queries. CPU time of the thread leaves out the JVM's compiler and collector threads; the last column has the whole process.
 */
public class AnseriniSearch {
  public static void main(String[] arguments) throws Exception {
    Class<?> type = Class.forName("io.anserini.search.SimpleSearcher");
    Object searcher = type.getConstructor(String.class).newInstance(arguments[0]);
    type.getMethod("set_bm25", float.class, float.class).invoke(searcher, 0.9f, 0.4f);
    Method search = type.getMethod("search", String.class, int.class);
    List<String> queries = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(arguments[1]))) {
      queries.add(line.split("\t")[1]);
    }
    int warmup = Integer.parseInt(arguments[2]);
    int rounds = Integer.parseInt(arguments[3]);
    int[] depths = {10, 1000};
    var thread = ManagementFactory.getThreadMXBean();
    var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    double[][][] times = new double[depths.length][queries.size()][rounds];
    double[] whole = new double[depths.length];
    long hits = 0;
    for (int round = -warmup; round < rounds; round++) {
      for (int depth = 0; depth < depths.length; depth++) {
        long processStart = process.getProcessCpuTime();
        for (int query = 0; query < queries.size(); query++) {
          long start = thread.getCurrentThreadCpuTime();
          Object found = search.invoke(searcher, queries.get(query), depths[depth]);
          long end = thread.getCurrentThreadCpuTime();
          hits += Array.getLength(found);
          if (round >= 0) {
            times[depth][query][round] = (end - start) / 1e6;
          }
        }
        if (round >= 0) {
          whole[depth] += (process.getProcessCpuTime() - processStart) / 1e6;
        }
      }
    }
    System.out.println("| CPU ms a query | mean | median | p95 | mean of the whole process |\n|---|---|---|---|---|");
    for (int depth = 0; depth < depths.length; depth++) {
      double[] medians = new double[queries.size()];
      for (int query = 0; query < medians.length; query++) {
        Arrays.sort(times[depth][query]);
        medians[query] = times[depth][query][rounds / 2];
      }
      Arrays.sort(medians);
      System.out.printf("| Anserini, pages, top %d | %.2f | %.2f | %.2f | %.2f |%n", depths[depth],
          Arrays.stream(medians).average().orElse(0), medians[medians.length / 2],
          medians[(int) Math.round(0.95 * (medians.length - 1))], whole[depth] / rounds / queries.size());
    }
    System.err.println(hits + " hits");
  }
}
